import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSshd } from '@tongtu/gateway/testing/sshd';
import { startTcpService } from './port-services.ts';

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

/**
 * OpenSSH's server behind a connection that can be cut, for the user of this process with a key. What it needs is in a
 * folder of its own, or in one of the test.
 */
export async function startSshServer(testFolder?: string): Promise<SshServer> {
  const folder = testFolder ?? (await mkdtemp(path.join(tmpdir(), 'tongtu-sshd-')));
  const sshd = await startSshd(folder);
  const service = await startTcpService((socket) => {
    const server = connect({ port: sshd.port, host: '127.0.0.1', noDelay: true });
    server.on('error', () => {}); // it has ended
    socket.pipe(server).pipe(socket);
    socket.on('close', () => server.destroy());
  });
  return {
    port: service.port,
    username: sshd.username,
    privateKey: sshd.privateKey,
    fingerprint: sshd.hostKey,
    cut() {
      for (const socket of service.sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await sshd[Symbol.asyncDispose]();
      if (testFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
