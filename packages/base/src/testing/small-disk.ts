import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type SmallDisk = Disposable & {
  dir: string;
  /** Fills the rest of the disk. */
  fill: () => void;
};

/** A file system of this size in memory. Only root may mount it, and not in every container: see `canMount`. */
export function mountSmallDisk({ megabytes, options = '' }: { megabytes: number; options?: string }): SmallDisk {
  const dir = mkdtempSync(path.join(tmpdir(), 'disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755${options}`, 'tmpfs', dir], {
    stdio: 'pipe',
  });
  return {
    dir,
    fill() {
      try {
        writeFileSync(path.join(dir, 'filler'), Buffer.alloc((megabytes + 1) * 1024 * 1024));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error; // fs throws ErrnoException
      }
    },
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', dir]);
      rmSync(dir, { recursive: true });
    },
  };
}

export const canMount = tryToMount();

function tryToMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    using _disk = mountSmallDisk({ megabytes: 1 });
    return true;
  } catch {
    return false; // some containers forbid it
  }
}
