import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']; // not on every user's PATH

/** A peer for tests. `npm test` installs it where it may; without it the test is skipped. */
export function findProgram(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(path.delimiter), ...SYSTEM_FOLDERS]
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // absent or closed: both mean it cannot be used
      }
    });
}
