import { readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * The temporary folder of tests. They create and delete a thousand databases, which on a disk takes longer than the
 * tests themselves. It is in memory if there is enough and programs may run from it, else the usual folder.
 */
export function fastTemporaryFolder(): string {
  if (process.env['TMPDIR'] !== undefined || process.platform !== 'linux') return tmpdir();
  return isRoomy() && mayRunPrograms() ? MEMORY : tmpdir();
}

function isRoomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // What the mount may hold is not there yet: the machine's own memory may be taken.
    return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES;
  } catch {
    return false; // there is none
  }
}

function mayRunPrograms(): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY);
  return mount !== undefined && !mount.split(' ')[3]?.split(',').includes('noexec');
}
