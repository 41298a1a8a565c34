import type { Server, Socket } from 'node:net';
import { EmptyWait } from './empty-wait.ts';

/** Every connection of some servers, also those that are still in a handshake and nobody else knows of. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();
  readonly #emptyWait = new EmptyWait(() => this.#sockets.size === 0);

  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#emptyWait.onEnded();
      });
    });
  }

  /** Resolves when none is left, or when that takes too long. */
  async whenEmpty(timeoutMs: number): Promise<void> {
    await this.#emptyWait.wait(timeoutMs);
  }

  /** Lets last bytes leave for a moment, then cuts what is left. */
  async end(timeoutMs: number): Promise<void> {
    await this.whenEmpty(timeoutMs);
    for (const socket of this.#sockets) socket.destroy();
  }
}
