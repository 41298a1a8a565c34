import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { startSshd } from '@tongtu/gateway/testing/sshd';
import { startTcpService } from './port-services.ts';

export type SshServer = AsyncDisposable & {
  port: number;
  /** Who may log in, and with which key. */
  username: string;
  privateKey: string;
  /** `SHA256:…` of the host key. */
  fingerprint: string;
  /** Passes this many more bytes of the clients on, and holds what follows. Resolves when something is held. */
  holdAfter: (bytes: number) => Promise<void>;
  /** Passes on what is held, and what follows. */
  release: () => void;
  /** Cuts all connections, as a network does, and holds nothing of later ones. */
  cut: () => void;
};

/**
 * OpenSSH's server behind a connection that can be held and cut, for the user of this process with a key. What it needs is in a
 * folder of its own, or in one of the test.
 */
export async function startSshServer(testFolder?: string): Promise<SshServer> {
  const folder = testFolder ?? (await mkdtemp(path.join(tmpdir(), 'tongtu-sshd-')));
  const sshd = await startSshd(folder);
  const gate = new Gate();
  const service = await startTcpService((socket) => {
    const server = connect({ port: sshd.port, host: '127.0.0.1', noDelay: true });
    server.on('error', () => {}); // it has ended
    socket.pipe(gate.createStream()).pipe(server).pipe(socket);
    socket.on('close', () => server.destroy());
  });
  return {
    port: service.port,
    username: sshd.username,
    privateKey: sshd.privateKey,
    fingerprint: sshd.hostKey,
    holdAfter: async (bytes) => await gate.holdAfter(bytes),
    release: () => gate.release(),
    cut() {
      for (const socket of service.sockets) socket.destroy();
      gate.forget();
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await sshd[Symbol.asyncDispose]();
      if (testFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Passes bytes on until the test wants them held. */
class Gate {
  #bytesLeft = Infinity;
  #held: (() => void)[] = [];
  #onHold: () => void = () => {};

  createStream(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        this.#bytesLeft -= chunk.length;
        if (this.#bytesLeft >= 0) return pass(null, chunk);
        this.#held.push(() => pass(null, chunk));
        this.#onHold();
      },
    });
  }

  holdAfter(bytes: number): Promise<void> {
    this.#bytesLeft = bytes;
    return new Promise((resolve) => (this.#onHold = resolve));
  }

  release(): void {
    const held = this.#held;
    this.forget();
    for (const pass of held) pass();
  }

  /** What is held never comes. */
  forget(): void {
    this.#bytesLeft = Infinity;
    this.#held = [];
  }
}
