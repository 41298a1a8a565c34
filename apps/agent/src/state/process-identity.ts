import { readFile } from 'node:fs/promises';
import { kill, pid } from 'node:process';

/** A process, told apart from a later one that was given the same number. */
export type ProcessIdentity = { pid: number; startedAt: string };

export async function ownProcess(): Promise<ProcessIdentity> {
  return { pid, startedAt: await startOf(pid) };
}

export async function isRunning(process: ProcessIdentity): Promise<boolean> {
  if (!isAlive(process.pid)) return false;
  return (await startOf(process.pid)) === process.startedAt;
}

// A process that has ended but whose parent has not asked for its exit code yet, as after kill -9 in a container.
const ENDED_STATES = new Set(['Z', 'X']);

/**
 * Boot and start tick of a process; empty where the system has no /proc, so that only the number counts there, and for
 * a process that is only waiting to be forgotten.
 */
async function startOf(processId: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${processId}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold spaces; the start time is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (ENDED_STATES.has(fields[0] ?? '')) return '';
    return `${boot.trim()} ${fields[19]}`;
  } catch {
    return ''; // no /proc, or the process ended meanwhile: either way nothing more can be said
  }
}

function isAlive(processId: number): boolean {
  try {
    kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // exists, belongs to somebody else
  }
}
