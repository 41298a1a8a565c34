import { isPossibleName, MAX_FILE_PATH_LENGTH } from '@tongtu/contract/file-names';

export function childPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether the gateway takes it: the address of the page can hold anything. */
export function isFolderPath(path: string): boolean {
  if (path.length > MAX_FILE_PATH_LENGTH || !path.startsWith('/')) return false;
  return path === '/' || path.slice(1).split('/').every(isPossibleName);
}

export type Crumb = { name: string; path: string };

/** The folders on the way to this one, without the root. */
export function crumbsOf(path: string): Crumb[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }));
}

/** Whether `path` is the folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
