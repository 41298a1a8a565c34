import { type CloudAppOptions, nameOfText } from '@tongtu/contract';
import { isFileError } from './file-system.ts';

/** The folder that an app's owner has entered, as the target's disk may write it: the first one that is there. */
export async function findStartPath(
  stat: (path: string) => Promise<unknown>,
  { path, name_encoding: encoding }: Pick<CloudAppOptions, 'path' | 'name_encoding'>,
): Promise<string> {
  const encodings = encoding === 'auto' ? (['utf-8', 'gbk'] as const) : ([encoding, 'utf-8'] as const);
  const tried = new Set(encodings.flatMap((each) => nameOfText(path, each) ?? []));
  if (tried.size < 2) return path;
  for (const candidate of tried) {
    try {
      await stat(candidate);
      return candidate;
    } catch (error) {
      if (!isFileError(error, 'not-found', 'not-a-folder', 'name-not-possible')) throw error;
    }
  }
  return path; // the page says that there is none
}
