import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** After each chunk of at most 64 KB: some 10 MB/s. */
const PAUSE_MS = 5;

/** A line to a TCP port, each of whose connections a test can stall, cut or let go on. */
export class CutLine implements AsyncDisposable {
  readonly #server: Server;
  readonly #connections = new Set<LineConnection>();
  #isDown = false;
  #accepted = 0;

  private constructor(target: number) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      this.#accepted++;
      const far = connect({ host: '127.0.0.1', port: target, allowHalfOpen: true, noDelay: true });
      const connection = new LineConnection(near, far, () => this.#connections.delete(connection));
      this.#connections.add(connection);
      if (this.#isDown) connection.stall();
    });
  }

  static async open(target: number): Promise<CutLine> {
    const line = new CutLine(target);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on TCP
  }

  /** The number of connections so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Those that are open, the oldest first. */
  get connections(): LineConnection[] {
    return [...this.#connections];
  }

  /** Nothing passes any more, on new connections either: they are accepted, as by some routers. */
  goDown(): void {
    this.#isDown = true;
    for (const connection of this.#connections) connection.stall();
  }

  /** What waited passes, and all that follows. */
  comeBack(): void {
    this.#isDown = false;
    for (const connection of this.#connections) connection.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export class LineConnection {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #held: (() => void)[] = [];
  #isStalled = false;
  passedBytes = 0;

  constructor(near: Socket, far: Socket, onClosed: () => void) {
    this.#near = near;
    this.#far = far;
    this.#pass(near, far);
    this.#pass(far, near);
    let closed = 0;
    for (const socket of [near, far])
      socket.on('close', () => {
        if (++closed === 2) onClosed();
      });
  }

  /** As behind a lost packet: what arrives from now on waits. */
  stall(): void {
    this.#isStalled = true;
  }

  release(): void {
    this.#isStalled = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  /** Resets both ends; what waits is lost. */
  cut(): void {
    this.#held.length = 0;
    this.#near.resetAndDestroy();
    this.#far.resetAndDestroy();
  }

  #pass(from: Socket, to: Socket): void {
    const pass = (deliver: () => void) => {
      if (this.#isStalled) this.#held.push(deliver);
      else deliver();
    };
    from.on('data', (chunk: Buffer) => {
      // A slow line: what a test cuts has not long arrived.
      from.pause();
      setTimeout(() => from.resume(), PAUSE_MS);
      pass(() => {
        this.passedBytes += chunk.length;
        to.write(chunk);
      });
    });
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => {}); // connections are cut on purpose here
    from.on('close', () => pass(() => to.destroy()));
  }
}
