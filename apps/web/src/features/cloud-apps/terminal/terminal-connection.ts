import type { TerminalFromBrowser, TerminalFromGateway } from '@tongtu/contract';
import type { Credentials } from '../connecting/credentials-form.tsx';
import type { TerminalEncoding } from './terminal-encoding.ts';
import { type InputEvents, type PasteProgress, TerminalInput } from './terminal-input.ts';

export type TerminalSize = { columns: number; rows: number };

/** What the gateway says to the page itself; the connection answers the rest. */
export type TerminalMessage = Exclude<TerminalFromGateway, { type: 'taken' }>;

export type ConnectionEvents = {
  onMessage: (message: TerminalMessage) => void;
  /** Output of the target. `onDrawn` is to be called when it is on the screen. */
  onOutput: (output: Uint8Array | string, onDrawn: () => void) => void;
  /** The terminal has the screen again that it had (`resumed`). */
  onReplayed: () => void;
  /** The connection is over, and not by `close`. */
  onClosed: () => void;
} & Pick<InputEvents, 'onPasting' | 'onPasteStopped'>;

/** Drawn output is reported after so many bytes, and when nothing is left to draw. */
const reportedEveryBytes = 16_384;
const pasteStart = '\u001B[200~';
const pasteEnd = '\u001B[201~';

/** The WebSocket of a terminal session. `size` is asked for when it begins. */
export class TerminalConnection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #encoding: TerminalEncoding;
  readonly #input: TerminalInput;
  #isConnected = false;
  /** Of the output that brings the terminal to the screen it had. What it answers to that is not for the target. */
  #replayedBytes = 0;
  #drawingReplayBytes = 0;
  #isOver = false;
  #undrawnBytes = 0;
  #unreportedBytes = 0;

  constructor(
    { url, encoding, size }: { url: string; encoding: TerminalEncoding; size: () => TerminalSize },
    events: ConnectionEvents,
  ) {
    this.#events = events;
    this.#encoding = encoding;
    this.#input = new TerminalInput({
      send: (bytes) => this.#socket.send(bytes),
      onPasting: events.onPasting,
      onPasteStopped: events.onPasteStopped,
    });
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
    if (this.#isReplaying) return; // it gets its own size afterwards
    this.#send({ type: 'resize', ...size });
  }

  answer(answers: string[]): void {
    this.#send({ type: 'answers', answers });
  }

  trustHostKey(trusted: boolean): void {
    this.#send({ type: 'trust_host_key', trusted });
  }

  /** What the user types, as text. Nothing before the login: it was meant for what the user saw. */
  type(text: string): void {
    this.typeBytes(this.#encoding.encode(text));
  }

  typeBytes(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#isOpen() && this.#isConnected && !this.#isReplaying) this.#input.type(bytes);
  }

  /** False when too much waits already. */
  paste(text: string, { isBracketed }: { isBracketed: boolean }): boolean {
    const bytes = this.#encoding.encode(text);
    if (!this.#isOpen() || !this.#isConnected) {
      // The connection may have ended while the user was asked.
      this.#events.onPasteStopped({ unsentBytes: bytes.length, isTargetStuck: false });
      return true;
    }
    if (!isBracketed) return this.#input.paste(bytes);
    return this.#input.paste(this.#encoding.encode(pasteStart + text), this.#encoding.encode(pasteEnd));
  }

  get pasteProgress(): PasteProgress | undefined {
    return this.#input.pasteProgress;
  }

  stopPastes(): void {
    if (this.#isOpen()) this.#input.stopPastes();
  }

  close(): void {
    this.#isOver = true;
    this.#input.reset();
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
    if (typeof data === 'string') return this.#obey(JSON.parse(data) as TerminalFromGateway);
    if (data instanceof ArrayBuffer) this.#draw(new Uint8Array(data));
  }

  #obey(message: TerminalFromGateway): void {
    if (message.type === 'taken') return this.#input.addTaken(message.bytes);
    if (message.type === 'connected' || message.type === 'resumed') {
      this.#isConnected = true;
      this.#input.reset();
      this.#encoding.reset();
    }
    if (message.type === 'failed') this.#input.lose();
    if (message.type === 'resumed') this.#replayedBytes = message.bytes;
    this.#events.onMessage(message);
    if (message.type === 'resumed' && message.bytes === 0) this.#events.onReplayed();
  }

  get #isReplaying(): boolean {
    return this.#replayedBytes > 0;
  }

  #draw(bytes: Uint8Array): void {
    this.#undrawnBytes += bytes.length;
    const replayedBytes = Math.min(bytes.length, this.#replayedBytes - this.#drawingReplayBytes);
    this.#drawingReplayBytes += replayedBytes;
    this.#events.onOutput(this.#encoding.decode(bytes), () => {
      this.#endReplay(replayedBytes);
      this.#undrawnBytes -= bytes.length;
      this.#unreportedBytes += bytes.length;
      if (this.#undrawnBytes > 0 && this.#unreportedBytes < reportedEveryBytes) return;
      this.#send({ type: 'drawn', bytes: this.#unreportedBytes });
      this.#unreportedBytes = 0;
    });
  }

  #endReplay(drawnBytes: number): void {
    if (drawnBytes === 0) return;
    this.#drawingReplayBytes -= drawnBytes;
    this.#replayedBytes -= drawnBytes;
    if (this.#replayedBytes === 0) this.#events.onReplayed();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#input.lose();
    this.#events.onClosed();
  }
}
