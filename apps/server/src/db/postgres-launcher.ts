import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NOBODY = 65_534;

/** How to start PostgreSQL's programs: words before the command, and who must own the data folder. */
export type Launcher = { prefix: string[]; ownerUid: number | undefined };

/**
 * PostgreSQL refuses uid 0. As root it runs as nobody, or in a user namespace where nobody cannot reach the files
 * (there the files stay root's). `--pdeathsig` ends it when this process is killed without a chance to clean up.
 */
export async function chooseLauncher(binDir: string, dataDir: string): Promise<Launcher> {
  if (process.platform !== 'linux') return { prefix: [], ownerUid: undefined };
  const isRoot = process.getuid?.() === 0;
  const diesWithUs = ['setpriv', '--pdeathsig', 'INT'];
  if (!isRoot) return { prefix: (await canRun('setpriv')) ? diesWithUs : [], ownerUid: undefined };
  if ((await canAnyoneEnter(binDir)) && (await canAnyoneEnter(path.dirname(dataDir)))) {
    return { prefix: [...diesWithUs, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'], ownerUid: NOBODY };
  }
  return { prefix: ['unshare', '-U', ...diesWithUs], ownerUid: 0 };
}

/** True if every folder down to `dir` can be entered by any user. */
async function canAnyoneEnter(dir: string): Promise<boolean> {
  for (let current = await realpath(dir); ; current = path.dirname(current)) {
    if (((await stat(current)).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

async function canRun(program: string): Promise<boolean> {
  try {
    await run(program, ['--version']);
    return true;
  } catch {
    return false; // not installed: the server then has to be stopped by hand after a kill -9
  }
}
