import type { Server, Socket } from 'node:net';

/** Every connection of some servers, also those that are still in a handshake and nobody else knows of. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();
  #onEmpty: (() => void) | undefined;

  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#onEmpty?.();
      });
    });
  }

  /** Resolves when none is left, or when that takes too long. */
  async whenEmpty(timeoutMs: number): Promise<void> {
    if (this.#sockets.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
  }

  /** Lets last bytes leave for a moment, then cuts what is left. */
  async end(timeoutMs: number): Promise<void> {
    await this.whenEmpty(timeoutMs);
    for (const socket of this.#sockets) socket.destroy();
  }
}
