import { hasByteSigns, type NameEncoding, nameText } from '@tongtu/contract';
import { nameOf, parentPath } from '../file-system.ts';
import type { TreeEntry } from './walk-tree.ts';

type Folder = { name: string; used: Set<string> };

/**
 * The names in a zip, which are UTF-8: two names of a folder that read alike, because one is in GBK, get different ones.
 * Folders are kept until all that is in them has its name.
 */
export class ZipNames {
  readonly #encoding: NameEncoding;
  readonly #roots = new Set<string>();
  readonly #folders = new Map<string, Folder>();
  /** What could be either is read like the other names of the zip. */
  #hasLegacy = false;

  constructor(encoding: NameEncoding) {
    this.#encoding = encoding;
  }

  /** Two roots of one name, from different folders, get different ones, too. */
  addRoot({ path, type }: TreeEntry): string {
    const name = freeName(this.#textOf(path), this.#roots);
    if (type === 'folder') this.#folders.set(path, { name, used: new Set() });
    return name;
  }

  add({ path, type }: TreeEntry): string {
    const folder = this.#folders.get(parentPath(path));
    const own = freeName(this.#textOf(path), folder?.used ?? new Set());
    const name = folder === undefined || folder.name === '' ? own : `${folder.name}/${own}`;
    if (type === 'folder') this.#folders.set(path, { name, used: new Set() });
    return name;
  }

  end({ path }: TreeEntry): void {
    this.#folders.delete(path);
  }

  /** Without what Windows takes for the way to another folder. */
  #textOf(path: string): string {
    this.#hasLegacy ||= hasByteSigns(path);
    const text = nameText(nameOf(path), this.#encoding, { isAmongLegacy: this.#hasLegacy });
    return text.replaceAll('\\', '_');
  }
}

/** `name (2).txt`, with the next number that is free. */
function freeName(name: string, used: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let copy = 2; used.has(free); copy++) free = `${stem} (${copy})${ending}`;
  used.add(free);
  return free;
}
