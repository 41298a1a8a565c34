import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '@tongtu/base';

const run = promisify(execFile);
const NOBODY = 65_534;

/** How to start PostgreSQL's programs: the command's prefix, and which uid must own the data folder. */
export type Launcher = { prefix: string[]; ownerUid: number | undefined };

/**
 * PostgreSQL refuses uid 0, so root starts it in one of three ways. As nobody; if nobody cannot reach the files, in a
 * user namespace, where root keeps the files; if namespaces are forbidden, as in most containers, as nobody with the
 * capability to enter closed folders. `--pdeathsig` ends it when this process is killed and cannot clean up.
 */
export async function chooseLauncher(binDir: string, dataDir: string): Promise<Launcher> {
  if (process.platform !== 'linux') return { prefix: [], ownerUid: undefined };
  const isRoot = process.getuid?.() === 0;
  const diesWithUs = ['setpriv', '--pdeathsig', 'INT'];
  if (!isRoot) return { prefix: (await canRun('setpriv', ['--version'])) ? diesWithUs : [], ownerUid: undefined };
  const asNobody = [...diesWithUs, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  if ((await canAnyoneEnter(binDir)) && (await canAnyoneEnter(path.dirname(dataDir)))) {
    return { prefix: asNobody, ownerUid: NOBODY };
  }
  if (await canRun('unshare', ['-U', 'true'])) return { prefix: ['unshare', '-U', ...diesWithUs], ownerUid: 0 };
  return { prefix: [...asNobody, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'], ownerUid: NOBODY };
}

/** True if every folder down to `dir` can be entered by any user. */
async function canAnyoneEnter(dir: string): Promise<boolean> {
  for (let current = await realpath(dir); ; current = path.dirname(current)) {
    if (((await stat(current)).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** False if the program is not installed or not allowed. Without setpriv the operator must stop the database after a kill -9. */
async function canRun(program: string, args: string[]): Promise<boolean> {
  try {
    await run(program, args, { env: programEnvironment(process.env) });
    return true;
  } catch {
    return false;
  }
}
