import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { cannotUseDataDir } from '../explain-start-error.ts';

const PROBE = 'x';

/** Creates the data folder if it is missing and checks that it can be written. Throws OperatorError. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    const probe = path.join(dataDir, `.write-test-${randomBytes(4).toString('hex')}`);
    const handle = await open(probe, 'wx');
    try {
      await handle.write(PROBE); // an empty file takes no space, so a full disk would not be noticed
    } finally {
      await handle.close();
      await rm(probe);
    }
  } catch (cause) {
    throw cannotUseDataDir(dataDir, cause);
  }
}

/** Node's recursive mkdir never returns where a folder cannot contain others, as under /proc. */
async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // fs rejects with ErrnoException
    if (code === 'EEXIST' && (await stat(dir)).isDirectory()) return;
    if (code !== 'ENOENT' || path.dirname(dir) === dir || (await exists(path.dirname(dir)))) throw error;
    await makeFolder(path.dirname(dir));
    await mkdir(dir, { mode: 0o700 });
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

/** Reads a private file, creating it first if it is missing. Two processes at once agree on one content. */
export async function readOrCreatePrivateFile(file: string, create: () => Promise<string>): Promise<string> {
  const existing = await readIfThere(file);
  if (existing !== undefined) return existing;
  const draft = await writeDraft(file, await create());
  try {
    await link(draft, file); // unlike rename, fails when another process was first
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return await readFile(file, 'utf8');
}

/** Replaces a private file so that a crash leaves either the old or the new content. */
export async function replacePrivateFile(file: string, content: string): Promise<void> {
  await rename(await writeDraft(file, content), file);
}

async function writeDraft(file: string, content: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}

/** Undefined when there is no such file. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
