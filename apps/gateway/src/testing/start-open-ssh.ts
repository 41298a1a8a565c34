import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';

/** Where Debian's openssh-server puts it. It refuses to start by a relative name. */
export const OPEN_SSH_SERVER = '/usr/sbin/sshd';

const keyKinds = {
  ed25519: ['-t', 'ed25519'],
  rsa: ['-t', 'rsa', '-b', '2048'],
  ecdsa: ['-t', 'ecdsa'],
  'rsa in PEM': ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
} as const;
type KeyKind = keyof typeof keyKinds;

export type OpenSsh = AsyncDisposable & {
  port: number;
  username: string;
  fingerprint: string;
  /** A new private key that may log in. */
  allowKey(kind: KeyKind, passphrase?: string): string;
};

/** A real OpenSSH server for the user of this process, with keys alone. */
export async function startOpenSsh(): Promise<OpenSsh> {
  const folder = mkdtempSync(path.join(tmpdir(), 'open-ssh-'));
  const username = userInfo().username;
  const hostKey = makeKey(folder, 'host', 'ed25519');
  const port = await freePort();
  const allowed = path.join(folder, 'allowed');
  writeFileSync(allowed, '');
  writeFileSync(path.join(folder, 'config'), configuration({ folder, port, allowed }));
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true }); // where it locks up its children
  const server = spawn(OPEN_SSH_SERVER, ['-D', '-e', '-f', path.join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    if (log.includes('listening on')) resolve();
  });
  server.once('exit', () => reject(new Error(`sshd has ended: ${log}`)));
  await promise;
  let keys = 0;
  return {
    port,
    username,
    fingerprint: /SHA256:\S+/.exec(execFileSync('ssh-keygen', ['-l', '-f', hostKey]).toString())?.[0] ?? '',
    allowKey(kind, passphrase = '') {
      const file = makeKey(folder, `key-${(keys += 1)}`, kind, passphrase);
      writeFileSync(allowed, readFileSync(`${file}.pub`), { flag: 'a' });
      return readFileSync(file, 'utf8');
    },
    async [Symbol.asyncDispose]() {
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

function makeKey(folder: string, name: string, kind: KeyKind, passphrase = ''): string {
  const file = path.join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-f', file, '-N', passphrase, ...keyKinds[kind]]);
  return file;
}

function configuration({ folder, port, allowed }: { folder: string; port: number; allowed: string }): string {
  return [
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    `HostKey ${path.join(folder, 'host')}`,
    `AuthorizedKeysFile ${allowed}`,
    'StrictModes no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'PidFile none',
    'PrintMotd no',
    'AcceptEnv LANG',
    'Subsystem sftp internal-sftp',
    '',
  ].join('\n');
}
