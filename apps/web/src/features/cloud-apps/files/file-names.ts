import type { FileEntry } from '@tongtu/contract';
import { hasByteSigns, type NameEncoding, nameOfText, nameText } from '@tongtu/contract/byte-names';
import type { ListedEntry } from './listed-entry.ts';
import { childPath, nameOf, parentPath } from './folder-path.ts';

/** Of the folders that were listed last. */
const maxFolders = 1_000;
const notAscii = /[^\0-\x7f]/;

/**
 * How the names of an app's files are shown and written. A path keeps each name as the bytes that the disk has
 * (`byte-names.ts` of the contract).
 */
export class FileNames {
  readonly encoding: NameEncoding;
  /** Whether most names of a folder that are not plain ASCII are no UTF-8. */
  readonly #folders = new Map<string, { hasLegacy: boolean; isMostlyLegacy: boolean }>();

  constructor(encoding: NameEncoding) {
    this.encoding = encoding;
  }

  /** To be called with each list: `auto` reads and writes a name like those around it. */
  note(folder: string, entries: readonly FileEntry[]): void {
    let legacy = 0;
    let utf8 = 0;
    for (const { name } of entries) {
      if (hasByteSigns(name)) legacy++;
      else if (notAscii.test(name)) utf8++;
    }
    this.#folders.delete(folder);
    if (legacy + utf8 === 0) return;
    this.#folders.set(folder, { hasLegacy: legacy > 0, isMostlyLegacy: legacy > utf8 });
    const [oldest] = this.#folders.keys();
    if (oldest !== undefined && this.#folders.size > maxFolders) this.#folders.delete(oldest);
  }

  /** The entries of a folder that was noted, with their names as the user reads them. */
  withTexts(folder: string, entries: readonly FileEntry[]): ListedEntry[] {
    const texts = entries.map(({ name }) => this.textOf(childPath(folder, name)));
    if (entries.every(({ name }, index) => name === texts[index])) return [...entries];
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return entries.map((entry, index) => {
      const text = texts[index] ?? entry.name;
      if (text === entry.name) return entry;
      const hasTwin = (counts.get(text) ?? 0) > 1;
      return { ...entry, text, ...(hasTwin && { mark: this.encoding === 'big5' ? 'Big5' : 'GBK' }) };
    });
  }

  /** The last name of a path, as the user reads it. */
  textOf(path: string): string {
    const isAmongLegacy = this.#folders.get(parentPath(path))?.hasLegacy ?? hasByteSigns(parentPath(path));
    return nameText(nameOf(path), this.encoding, { isAmongLegacy });
  }

  /** A whole path, as the user reads it. */
  pathTextOf(path: string): string {
    if (!notAscii.test(path)) return path;
    const names = path.split('/');
    return names.map((_, index) => this.textOf(names.slice(0, index + 1).join('/'))).join('/');
  }

  /** The path in `folder` for a name that the user has given. Undefined where the encoding lacks a character. */
  newPath(folder: string, text: string): string | undefined {
    const name = nameOfText(text, this.#encodingIn(folder));
    return name === undefined ? undefined : childPath(folder, name);
  }

  /** As `newPath`, for names with folders in front. All are written alike. */
  newPaths(folder: string, relative: string): string | undefined {
    const encoding = this.#encodingIn(folder);
    const names = relative.split('/').map((name) => nameOfText(name, encoding));
    return names.includes(undefined) ? undefined : childPath(folder, names.join('/'));
  }

  #encodingIn(folder: string): Exclude<NameEncoding, 'auto'> {
    if (this.encoding !== 'auto') return this.encoding;
    // A folder that has no such names is like its own name, or those beside it.
    for (let at = folder; ; at = parentPath(at)) {
      const known = this.#folders.get(at);
      if (known !== undefined) return known.isMostlyLegacy ? 'gbk' : 'utf-8';
      if (at === '/') return 'utf-8';
      if (notAscii.test(nameOf(at))) return hasByteSigns(nameOf(at)) ? 'gbk' : 'utf-8';
    }
  }
}
