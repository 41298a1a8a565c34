import type { FileEntry } from '@tongtu/contract';
import { isFolder } from './entries/shown-entries.ts';
import type { FilesClient } from './files-client.ts';
import { childPath } from './folder-path.ts';
import { groupsForQuery } from './paths-in-query.ts';

type Download = { url: string; name: string };

/**
 * The address of a download: the file itself, or a zip of several and of folders. Undefined if there are too many for
 * one address.
 */
export function downloadOf(client: FilesClient, folder: string, entries: readonly FileEntry[]): Download | undefined {
  const paths = entries.map(({ name }) => childPath(folder, name));
  const [first] = entries;
  const [path] = paths;
  if (!first || path === undefined) return undefined;
  if (paths.length === 1 && !isFolder(first)) {
    const name = client.names.textOf(path);
    return { url: client.url('content', { path, name }), name };
  }
  if (groupsForQuery(paths).length > 1) return undefined;
  const name = client.names.textOf(paths.length === 1 ? path : folder) || 'files';
  return { url: client.url('zip', { paths: JSON.stringify(paths), name }), name: `${name}.zip` };
}

/** Leaves the rest to the browser, which streams the file to the disk. */
export function startDownload({ url, name }: Download): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
