import type { Socket } from 'node:net';
import type { ConnectionLimit } from './connection-limit.ts';

/** Connections that have yet to show what they are for, in a handshake or a login, each with its place in a limit. */
export class PendingConnections {
  readonly #limit: ConnectionLimit;
  /** By the peer's address and port: a connection before and after its handshake is two sockets to Node. */
  readonly #releases = new Map<string, () => void>();

  constructor(limit: ConnectionLimit) {
    this.#limit = limit;
  }

  /** False: there is no place for it. `onReleased` may be called more than once. */
  begin(socket: Socket, address: string, onReleased = () => {}): boolean {
    const leave = this.#limit.enter(address);
    if (leave === undefined) return false;
    const release = () => {
      leave();
      onReleased();
    };
    const name = nameOf(socket);
    this.#releases.set(name, release);
    socket.once('close', () => {
      // The same port may be in use again.
      if (this.#releases.get(name) === release) this.#releases.delete(name);
      release();
    });
    return true;
  }

  /** Gives the place back when it is called; the end of the connection does so too. */
  releaseOf(socket: Socket): () => void {
    return this.#releases.get(nameOf(socket)) ?? (() => {});
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
