import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The bytes of one connection in both directions, without the HTTP heads. */
export type TapRecord = { up: Buffer; down: Buffer };

const HEAD_END = '\r\n\r\n';

/** Forwards bytes to a port and records those of its latest connection. */
export class Tap implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #latest: Promise<TapRecord> | undefined;

  private constructor(targetPort: number) {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#latest = this.#join(socket, connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true }));
    });
  }

  static async start(targetPort: number): Promise<Tap> {
    const tap = new Tap(targetPort);
    tap.#server.listen(0, '127.0.0.1');
    await once(tap.#server, 'listening');
    return tap;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // listening on TCP: never a pipe name
  }

  /** The latest connection's record, once that is closed on both sides. */
  async record(): Promise<TapRecord> {
    if (this.#latest === undefined) throw new Error('nobody has come to the tap');
    return await this.#latest;
  }

  async #join(near: Socket, far: Socket): Promise<TapRecord> {
    const [up, down] = await Promise.all([this.#copy(near, far), this.#copy(far, near)]);
    return { up: withoutHead(up), down: withoutHead(down) };
  }

  /** Resolves with all bytes once `from` is closed. */
  async #copy(from: Socket, to: Socket): Promise<Buffer> {
    this.#sockets.add(from);
    from.setNoDelay(true);
    const chunks: Buffer[] = [];
    from.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => from.resume());
    from.on('end', () => to.end());
    from.on('error', () => to.resetAndDestroy());
    await new Promise((resolve) => from.once('close', resolve));
    this.#sockets.delete(from);
    to.end();
    return Buffer.concat(chunks);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function withoutHead(bytes: Buffer): Buffer {
  const end = bytes.indexOf(HEAD_END);
  return end === -1 ? Buffer.alloc(0) : bytes.subarray(end + HEAD_END.length);
}
