import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** An install script: the files of a folder that end so, in the order of their names. Read anew each time: it is small. */
export async function readScript(folder: string, extension: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(extension)).toSorted();
  const parts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return parts.join('\n');
}
