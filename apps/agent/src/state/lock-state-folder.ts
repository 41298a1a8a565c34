import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AgentError } from '../events/agent-error.ts';
import { makeFolder } from './make-folder.ts';
import { isRunning, ownProcess } from './process-identity.ts';

const LOCK_FILE = /^agent\.(\d{1,12})\.pid$/;
const MAX_TRIES = 50;
const Holder = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
const RELEASED = 'released';

/**
 * Creates the state folder if it is missing and locks it against other agents until disposed.
 * A lock is stale if its process has ended or its process id belongs to another process.
 *
 * Locks are numbered and the highest one counts. A process that finds it stale creates the next one, which only one
 * process can. Replacing a stale lock under the same name would let two processes both win.
 */
export async function lockStateFolder(stateDir: string): Promise<AsyncDisposable> {
  const draft = path.join(stateDir, `agent.pid.${randomBytes(4).toString('hex')}`);
  try {
    await makeFolder(path.resolve(stateDir), 0o700);
    await writeFile(draft, JSON.stringify(await ownProcess()), { flag: 'wx', mode: 0o600 });
    const file = await claim(stateDir, draft);
    return { [Symbol.asyncDispose]: () => release(file) };
  } catch (cause) {
    if (cause instanceof AgentError) throw cause;
    throw new AgentError('state.unusable', { cause, detail: stateDir });
  } finally {
    await removeIfThere(draft);
  }
}

async function claim(stateDir: string, draft: string): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const highest = Math.max(0, ...(await listLocks(stateDir)));
    if (highest > 0 && (await isHeld(lockPath(stateDir, highest)))) break;
    const mine = lockPath(stateDir, highest + 1);
    if (!(await linkIfFree(draft, mine))) continue;
    // Another process has meanwhile created a higher lock and removed the lower ones: it wins.
    const all = await listLocks(stateDir);
    if (Math.max(...all) !== highest + 1) {
      await removeIfThere(mine);
      continue;
    }
    for (const lower of all) if (lower <= highest) await removeIfThere(lockPath(stateDir, lower));
    return mine;
  }
  throw new AgentError('state.in-use', { detail: stateDir });
}

async function listLocks(stateDir: string): Promise<number[]> {
  const names = await readdir(stateDir);
  return names.flatMap((name) => LOCK_FILE.exec(name)?.[1] ?? []).map(Number);
}

function lockPath(stateDir: string, number: number): string {
  return path.join(stateDir, `agent.${number}.pid`);
}

/** Unlike a rename, a link fails when another agent was first. */
async function linkIfFree(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      await copyFile(draft, file, constants.COPYFILE_EXCL); // FAT, as on USB sticks in routers, has no links
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false; // fs rejects with ErrnoException
    throw error;
  }
}

async function isHeld(file: string): Promise<boolean> {
  try {
    return await isRunning(Holder.parse(JSON.parse(await readFile(file, 'utf8'))));
  } catch {
    return false; // released, damaged by a power cut, or replaced by a higher one that the next try finds
  }
}

/** The file stays, so that its number is not used twice. */
async function release(file: string): Promise<void> {
  const draft = `${file}.${RELEASED}`;
  try {
    await writeFile(draft, RELEASED, { mode: 0o600 });
    await rename(draft, file);
  } catch {
    await removeIfThere(draft); // the folder is deleted or full; the lock ends with the process at the latest
  }
}

async function removeIfThere(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => {}); // what cannot be removed does no harm
}
