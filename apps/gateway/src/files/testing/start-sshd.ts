import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import os from 'node:os';
import { findProgram } from './find-program.ts';
import { freePort, type RunningProgram, startProgram } from './start-program.ts';

export const sshdProgram = findProgram('sshd');

export type Sshd = RunningProgram & { username: string; privateKey: string; hostKey: string };

/** OpenSSH with its own configuration in `folder`, open for the user of the test by a key. */
export async function startSshd(folder: string): Promise<Sshd> {
  if (sshdProgram === undefined) throw new Error('sshd is missing');
  const port = await freePort();
  const file = (name: string): string => path.join(folder, name);
  for (const name of ['host_key', 'user_key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 }); // sshd does not start without it
  writeFileSync(
    file('sshd_config'),
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${file('host_key')}
AuthorizedKeysFile ${file('user_key.pub')}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
MaxAuthTries 20
Subsystem sftp internal-sftp
`,
  );
  const running = await startProgram(sshdProgram, ['-D', '-e', '-f', file('sshd_config')], { port });
  return {
    ...running,
    username: os.userInfo().username,
    privateKey: readFileSync(file('user_key'), 'utf8'),
    hostKey: fingerprintOf(file('host_key.pub')),
  };
}

function fingerprintOf(publicKeyFile: string): string {
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', publicKeyFile], { encoding: 'utf8' }).split(' ');
  return fingerprint;
}
