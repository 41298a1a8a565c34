import { connect, type TLSSocket } from 'node:tls';

/** Frame types and flags of RFC 9113 §6. */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const flags = { endStream: 1, ack: 1, endHeaders: 4 } as const;

export type Frame = { type: number; flags: number; stream: number; payload: Buffer };

/** A visitor that sends exactly the given frames. */
export class RawHttp2Client implements AsyncDisposable {
  readonly socket: TLSSocket;
  readonly frames: Frame[] = [];
  #pending = Buffer.of();
  #isClosed = false;
  #onChange: () => void = () => {};

  constructor(port: number, host: string) {
    this.socket = connect({
      port,
      host: '127.0.0.1',
      servername: host,
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.socket.on('close', () => {
      this.#isClosed = true;
      this.#onChange();
    });
  }

  /** The preface and empty settings, which begin every connection. */
  greet(settings: ReadonlyArray<readonly [id: number, value: number]> = []): void {
    this.socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    this.send(frameTypes.settings, 0, 0, settingsPayload(settings));
  }

  send(type: number, frameFlags: number, stream: number, payload: Buffer = Buffer.of()): void {
    if (!this.socket.destroyed) this.socket.write(frame(type, frameFlags, stream, payload));
  }

  /** A request without a body. */
  request(stream: number, fields: ReadonlyArray<readonly [string, string]>): void {
    this.send(frameTypes.headers, flags.endHeaders | flags.endStream, stream, headerBlock(fields));
  }

  /**
   * Resolves with the first frame, past or to come, that the test accepts; undefined when the connection ended without
   * one.
   */
  async waitFor(accept: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (;;) {
      const found = this.frames.find(accept);
      if (found !== undefined || this.#isClosed) return found;
      await this.#changed();
    }
  }

  async waitClosed(): Promise<void> {
    while (!this.#isClosed) await this.#changed();
  }

  /** The error code of a session's GOAWAY. */
  get goAwayCode(): number | undefined {
    return this.frames.findLast(({ type }) => type === frameTypes.goAway)?.payload.readUInt32BE(4);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    return Promise.resolve();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => (this.#onChange = resolve));
  }

  #onData(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 9) {
      const length = this.#pending.readUIntBE(0, 3);
      if (this.#pending.length < 9 + length) break;
      this.frames.push({
        type: this.#pending.readUInt8(3),
        flags: this.#pending.readUInt8(4),
        stream: this.#pending.readUInt32BE(5),
        payload: this.#pending.subarray(9, 9 + length),
      });
      this.#pending = this.#pending.subarray(9 + length);
    }
    this.#onChange();
  }
}

function frame(type: number, frameFlags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(frameFlags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function settingsPayload(settings: ReadonlyArray<readonly [number, number]>): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return payload;
}

/** The simplest HPACK (RFC 7541): every field is a literal without indexing, uncompressed. */
export function headerBlock(fields: ReadonlyArray<readonly [string, string]>): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), hpackText(name), hpackText(value)]));
}

function hpackText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) | 128);
  return Buffer.concat([Buffer.of(...length, rest), bytes]);
}
