import type { Server, Socket } from 'node:net';
import { EmptyWait } from './empty-wait.ts';

/** Every connection of some servers, including those in a handshake, which no other part knows. */
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

  /** Resolves when none is left, or after the time limit. */
  async whenEmpty(timeoutMs: number): Promise<void> {
    await this.#emptyWait.wait(timeoutMs);
  }

  /** Waits a moment for the last bytes to be sent, then cuts the rest. */
  async end(timeoutMs: number): Promise<void> {
    await this.whenEmpty(timeoutMs);
    for (const socket of this.#sockets) socket.destroy();
  }
}
