import { readFile } from 'node:fs/promises';
import { kill, pid } from 'node:process';

/** Identifies a process, also against a later one with the same process id. */
export type ProcessIdentity = { pid: number; startedAt: string };

export async function ownProcess(): Promise<ProcessIdentity> {
  return { pid, startedAt: await startOf(pid) };
}

export async function isRunning(process: ProcessIdentity): Promise<boolean> {
  if (!isAlive(process.pid)) return false;
  return (await startOf(process.pid)) === process.startedAt;
}

// Zombies: processes that have ended but were not waited for, as after kill -9 in a container.
const ENDED_STATES = new Set(['Z', 'X']);

/**
 * Boot id and start tick of a process. Empty for a zombie, and without /proc, where only the process id is compared.
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
    return ''; // no /proc, or the process has ended meanwhile
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
