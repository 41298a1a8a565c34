import type { TerminalFromBrowser, TerminalFromGateway } from '@tongtu/contract';
import type { Credentials } from '../connecting/credentials-form.tsx';

export type TerminalSize = { columns: number; rows: number };

export type ConnectionEvents = {
  onMessage: (message: TerminalFromGateway) => void;
  /** Output of the target. `onDrawn` is to be called when it is on the screen. */
  onOutput: (bytes: Uint8Array, onDrawn: () => void) => void;
  /** The connection is over, and not by `close`. */
  onClosed: () => void;
};

/** Drawn output is reported after so many bytes, and when nothing is left to draw. */
const reportedEveryBytes = 16_384;
/** Pasted text is sent in parts, because the gateway refuses larger messages. */
const inputPartBytes = 16_384;

/** The WebSocket of a terminal session. `sizeNow` is asked for each time that the login starts. */
export class TerminalConnection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #encoder = new TextEncoder();
  #isOver = false;
  #undrawnBytes = 0;
  #unreportedBytes = 0;

  constructor(url: string, size: () => TerminalSize, events: ConnectionEvents) {
    this.#events = events;
    this.#socket = new WebSocket(url);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('open', () => this.start(size()));
    this.#socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
    this.#socket.addEventListener('close', () => this.#end());
    // An error is always followed by close.
  }

  /** Begins the login, at first and after the user has typed what was missing. */
  start(size: TerminalSize, credentials: Credentials = {}): void {
    this.#send({ type: 'start', ...size, ...credentials });
  }

  /** Puts the idle end off. */
  stay(): void {
    this.#send({ type: 'stay' });
  }

  resize(size: TerminalSize): void {
    this.#send({ type: 'resize', ...size });
  }

  answer(answers: string[]): void {
    this.#send({ type: 'answers', answers });
  }

  trustHostKey(trusted: boolean): void {
    this.#send({ type: 'trust_host_key', trusted });
  }

  /** What the user types, as text. */
  type(text: string): void {
    this.sendBytes(this.#encoder.encode(text));
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#isOpen()) return;
    for (let at = 0; at < bytes.length; at += inputPartBytes) {
      this.#socket.send(bytes.subarray(at, at + inputPartBytes));
    }
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  #isOpen(): boolean {
    return !this.#isOver && this.#socket.readyState === WebSocket.OPEN;
  }

  #send(message: TerminalFromBrowser): void {
    if (this.#isOpen()) this.#socket.send(JSON.stringify(message));
  }

  #receive(data: unknown): void {
    if (this.#isOver) return;
    // The gateway is our own server, so its messages are those of the contract.
    if (typeof data === 'string') return this.#events.onMessage(JSON.parse(data) as TerminalFromGateway);
    if (data instanceof ArrayBuffer) this.#draw(new Uint8Array(data));
  }

  #draw(bytes: Uint8Array): void {
    this.#undrawnBytes += bytes.length;
    this.#events.onOutput(bytes, () => {
      this.#undrawnBytes -= bytes.length;
      this.#unreportedBytes += bytes.length;
      if (this.#undrawnBytes > 0 && this.#unreportedBytes < reportedEveryBytes) return;
      this.#send({ type: 'drawn', bytes: this.#unreportedBytes });
      this.#unreportedBytes = 0;
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onClosed();
  }
}
