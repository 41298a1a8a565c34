import { connect, type Socket } from 'node:net';

/** A visitor that sends exactly the given bytes and records what it receives. */
export class RawClient implements AsyncDisposable {
  readonly socket: Socket;
  #received: Buffer[] = [];
  #hasEnded = false;
  #onChange: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received.push(chunk);
      this.#onChange();
    });
    socket.on('error', () => {});
    const end = () => {
      this.#hasEnded = true;
      this.#onChange();
    };
    socket.on('end', end);
    socket.on('close', end);
  }

  get text(): string {
    return Buffer.concat(this.#received).toString('latin1');
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Resolves with all received text once the pattern matches it or the connection has ended. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text) && !this.#hasEnded)
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    return this.text;
  }

  /** Resolves with all received text once the other side has closed. */
  async untilEnd(): Promise<string> {
    while (!this.#hasEnded) await new Promise<void>((resolve) => (this.#onChange = resolve));
    return this.text;
  }

  /** Discards the received text. */
  clear(): void {
    this.#received = [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    return Promise.resolve();
  }
}

export function openRawClient(port: number): RawClient {
  return new RawClient(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
}
