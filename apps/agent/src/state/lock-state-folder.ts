import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import { isRunning, ownProcess } from './process-identity.ts';

const LOCK_FILE = 'agent.pid';
const MAX_TRIES = 10;
const Holder = z.object({ pid: z.number().int().positive(), startedAt: z.string() });

/**
 * Makes the state folder where it is missing and keeps other agents out of it until disposed.
 * A lock whose process is gone, or whose number now belongs to another process, counts for nothing.
 */
export async function lockStateFolder(stateDir: string): Promise<AsyncDisposable> {
  const file = path.join(stateDir, LOCK_FILE);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(await ownProcess()), { flag: 'wx', mode: 0o600 });
    await claim(file, draft);
  } catch (cause) {
    if (cause instanceof AgentError) throw cause;
    throw new AgentError('state.unusable', { cause, detail: stateDir });
  } finally {
    await rm(draft, { force: true }).catch(() => {}); // the folder may be what is unusable
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

async function claim(file: string, draft: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await linkIfFree(draft, file)) return;
    const text = await readIfThere(file);
    if (text === undefined) continue; // released a moment ago
    if (await isHeld(text)) throw new AgentError('state.in-use', { detail: path.dirname(file) });
    await removeStale(file, text, draft);
  }
  throw new AgentError('state.in-use', { detail: path.dirname(file) });
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(text: string): Promise<boolean> {
  try {
    return await isRunning(Holder.parse(JSON.parse(text)));
  } catch {
    return false; // a torn file: whoever wrote it did not live to hold the lock
  }
}

/** Two starters may find the same stale lock; the one that comes second must not take the first one's fresh lock away. */
async function removeStale(file: string, staleText: string, draft: string): Promise<void> {
  const aside = `${draft}.stale`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== staleText) await linkIfFree(aside, file);
  await rm(aside, { force: true });
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
