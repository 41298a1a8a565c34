import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { findProgram } from './find-program.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

/** Its whole path: it refuses to start by a relative name. */
export const sshdProgram = findProgram('sshd');

const keyKinds = {
  ed25519: ['-t', 'ed25519'],
  rsa: ['-t', 'rsa', '-b', '2048'],
  ecdsa: ['-t', 'ecdsa'],
  'rsa in PEM': ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
} as const;
type KeyKind = keyof typeof keyKinds;

export type Sshd = RunningProgram & {
  username: string;
  hostKey: string;
  /** May log in. */
  privateKey: string;
  /** A private key of this kind that may log in. */
  allowKey(kind: KeyKind, passphrase?: string): string;
};

/**
 * OpenSSH with its own configuration in `folder`, open for the user of this process by keys alone. Shells have the folder
 * as their home, so that the user's own profile, which may wait for a lock, does not run. They keep no history, which a
 * shell writes as it ends, when the folder may be going away.
 */
export async function startSshd(folder: string, settings = ''): Promise<Sshd> {
  if (sshdProgram === undefined) throw new Error('sshd is missing');
  const port = await freePort();
  const at = (name: string): string => path.join(folder, name);
  const hostKeyFile = makeKey(at('host_key'), 'ed25519');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 }); // sshd does not start without it
  writeFileSync(
    at('sshd_config'),
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${hostKeyFile}
AuthorizedKeysFile ${at('allowed_keys')}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
AcceptEnv LANG
SetEnv HOME=${folder} HISTFILE=
Subsystem sftp internal-sftp
${settings}
`,
  );
  // One of each kind: to make one takes longer than the login.
  const keys = new Map<KeyKind, string>();
  const allowKey = (kind: KeyKind, passphrase = ''): string => {
    const file = keys.get(kind) ?? makeKey(at(`user_key_${keys.size}`), kind);
    if (!keys.has(kind)) writeFileSync(at('allowed_keys'), readFileSync(`${file}.pub`), { flag: 'a' });
    keys.set(kind, file);
    return passphrase === '' ? readFileSync(file, 'utf8') : encryptedCopy(file, kind, passphrase);
  };
  const privateKey = allowKey('ed25519');
  const running = await startProgram(sshdProgram, ['-D', '-e', '-f', at('sshd_config')], { port });
  const { username } = os.userInfo();
  return { ...running, username, hostKey: fingerprintOf(`${hostKeyFile}.pub`), privateKey, allowKey };
}

function makeKey(file: string, kind: KeyKind): string {
  execFileSync('ssh-keygen', ['-q', '-f', file, '-N', '', ...keyKinds[kind]]);
  return file;
}

function encryptedCopy(file: string, kind: KeyKind, passphrase: string): string {
  const copy = `${file}_encrypted`;
  copyFileSync(file, copy);
  const format = kind === 'rsa in PEM' ? ['-m', 'PEM'] : [];
  // Of the usual 24 rounds of its hash, each takes 15 ms of the processor here, and again in the gateway.
  execFileSync('ssh-keygen', ['-q', '-p', '-a', '1', '-f', copy, '-P', '', '-N', passphrase, ...format]);
  return readFileSync(copy, 'utf8');
}

function fingerprintOf(publicKeyFile: string): string {
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', publicKeyFile], { encoding: 'utf8' }).split(' ');
  return fingerprint;
}
