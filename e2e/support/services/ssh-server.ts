import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startTcpService } from './port-services.ts';

const run = promisify(execFile);
const sshd = '/usr/sbin/sshd'; // it insists on an absolute path

export type SshServer = AsyncDisposable & {
  port: number;
  /** Who may log in, and with which key. */
  username: string;
  privateKey: string;
  /** `SHA256:…` of the host key. */
  fingerprint: string;
  /** Cuts all connections, as a network does. */
  cut: () => void;
};

/** OpenSSH's server, into which the user of this process may log in with a key. */
export async function startSshServer(): Promise<SshServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-sshd-'));
  const file = (name: string) => path.join(folder, name);
  for (const name of ['host_key', 'user_key']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file(name)]);
  }
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await mkdir('/run/sshd', { recursive: true, mode: 0o755 }); // sshd does not start without it
  const settings = {
    HostKey: file('host_key'),
    AuthorizedKeysFile: file('user_key.pub'),
    StrictModes: 'no',
    PermitRootLogin: 'yes',
    UsePAM: 'no',
    AcceptEnv: 'LANG',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  await writeFile(file('config'), lines.join('\n'));
  // One process for each connection (`-i`), so that no port has to be free in advance.
  const service = await startTcpService((socket) => {
    const server = spawn(sshd, ['-i', '-f', file('config')], { stdio: ['pipe', 'pipe', 'ignore'] });
    server.stdin.on('error', () => {}); // it has ended
    socket.pipe(server.stdin);
    server.stdout.pipe(socket);
    socket.on('close', () => server.kill());
  });
  const { stdout } = await run('ssh-keygen', ['-lf', file('host_key.pub')]);
  return {
    port: service.port,
    username: userInfo().username,
    privateKey: await readFile(file('user_key'), 'utf8'),
    fingerprint: stdout.split(' ')[1] ?? '',
    cut() {
      for (const socket of service.sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
