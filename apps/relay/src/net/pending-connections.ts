import type { Socket } from 'node:net';
import type { ConnectionLimit } from './connection-limit.ts';

/** Connections in a handshake or a login, each with its place in a limit. */
export class PendingConnections {
  readonly #limit: ConnectionLimit;
  /** By the addresses and ports of both ends: Node has one socket before the handshake and another after it. */
  readonly #pending = new Map<string, { socket: Socket; release: () => void }>();

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
    this.#pending.set(name, { socket, release });
    socket.once('close', () => {
      // The same port may be in use again.
      if (this.#pending.get(name)?.socket === socket) this.#pending.delete(name);
      release();
    });
    return true;
  }

  /** Releases the place; the end of the connection does so, too. */
  releaseOf(socket: Socket): () => void {
    return this.#pending.get(nameOf(socket))?.release ?? (() => {});
  }

  /** The socket before the handshake of this one. */
  rawOf(socket: Socket): Socket | undefined {
    return this.#pending.get(nameOf(socket))?.socket;
  }
}

/** The peer's port alone is not enough: it may connect from one port to two ports or addresses of this machine. */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
