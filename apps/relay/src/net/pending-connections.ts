import type { Socket } from 'node:net';
import type { ConnectionLimit } from './connection-limit.ts';

/** Connections in a handshake or a login, each with its place in a limit. */
export class PendingConnections {
  readonly #limit: ConnectionLimit;
  /** By the peer's address and port: Node has one socket before the handshake and another after it. */
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

  /** Releases the place; the end of the connection does so, too. */
  releaseOf(socket: Socket): () => void {
    return this.#releases.get(nameOf(socket)) ?? (() => {});
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
