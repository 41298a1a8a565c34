import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { findProgram } from '../../testing/find-program.ts';
import { type RunningProgram, startProgram } from '../../testing/start-program.ts';

/** It keeps files for each of its users, so that only root can start it. */
export const smbdProgram = process.getuid?.() === 0 ? findProgram('smbd') : undefined;

export type Samba = RunningProgram & { username: string; password: string; shared: string };

/**
 * Samba with its own configuration in `folder`. It demands signatures; the share `secret` demands encryption. Both are
 * the folder `shared`.
 */
export async function startSamba(folder: string, settings = ''): Promise<Samba> {
  if (smbdProgram === undefined) throw new Error('smbd is missing');
  const port = await freePort();
  const at = (name: string): string => path.join(folder, name);
  for (const name of ['private', 'state', 'shared']) mkdirSync(at(name));
  const configuration = at('smb.conf');
  writeFileSync(
    configuration,
    `[global]
  smb ports = ${port}
  interfaces = 127.0.0.1
  bind interfaces only = yes
  disable netbios = yes
  server role = standalone server
  server signing = mandatory
  map to guest = never
  load printers = no
  log level = 0
  log file = ${at('log')}
  private dir = ${at('private')}
${['lock directory', 'state directory', 'cache directory', 'pid directory', 'ncalrpc dir'].map((use) => `  ${use} = ${at('state')}`).join('\n')}
  ${settings}
[公共]
  path = ${at('shared')}
  read only = no
[secret]
  path = ${at('shared')}
  read only = no
  smb encrypt = required
[hidden$]
  path = ${at('shared')}
`,
  );
  const { username } = os.userInfo();
  const password = '密码 Pass-1';
  execFileSync('smbpasswd', ['-c', configuration, '-a', '-s', username], { input: `${password}\n${password}\n` });
  const running = await startProgram(smbdProgram, ['-F', '-s', configuration], { port });
  const stop = async (): Promise<void> => {
    await running[Symbol.asyncDispose]();
    endHelpers(at('state/samba-dcerpcd.pid'));
  };
  return { ...running, username, password, shared: at('shared'), [Symbol.asyncDispose]: stop };
}

/**
 * Ends what answers calls such as the list of shares (samba-dcerpcd). smbd starts it in a process group of its own, and
 * does not end it.
 */
function endHelpers(pidFile: string): void {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    if (pid > 1) process.kill(-pid, 'SIGKILL'); // its files go away, so it must not write any more
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ESRCH'].includes(code)) throw error; // it was not started, or ends by itself when it is idle
  }
}
