import type { WebSocket } from 'ws';
import type { Shell } from './shell.ts';

const PAUSE_BYTES = 512 * 1024;
const RESUME_BYTES = 128 * 1024;
/** Messages on their way. A target may send byte by byte, and a message takes several hundred bytes of memory. */
const MAX_SENDING = 64;
const MAX_PARTS = 256;

/**
 * Sends output no faster than the browser draws it. What the connection has not taken counts too, so that a browser
 * that claims to have drawn everything cannot fill the memory.
 */
export class OutputPacing {
  readonly #socket: WebSocket;
  readonly #onResumed: () => void;
  #shell: Shell | undefined;
  #undrawnBytes = 0;
  /** Sent together: at the end of this turn, or when fewer messages are on their way. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #sending = 0;
  #isPaused = false;

  constructor(socket: WebSocket, onResumed: () => void) {
    this.#socket = socket;
    this.#onResumed = onResumed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Pauses and resumes this shell from now on. */
  attach(shell: Shell): void {
    this.#shell = shell;
    this.#isPaused = false;
    this.#regulate();
  }

  detach(): void {
    this.#shell = undefined;
  }

  /** The browser begins with an empty terminal. */
  reset(): void {
    this.#undrawnBytes = 0;
  }

  send(bytes: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#undrawnBytes += bytes.length;
    if (this.#held.length === 0) process.nextTick(() => this.#flushIfPossible());
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#held.length > MAX_PARTS) this.#held = [Buffer.concat(this.#held)];
    this.#regulate();
  }

  /** To be called before another message that must not overtake the output. */
  flush(): void {
    if (this.#held.length === 0) return;
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#sending++;
    this.#socket.send(bytes, { binary: true }, () => {
      this.#sending--;
      this.#flushIfPossible();
      this.#regulate();
    });
  }

  #flushIfPossible(): void {
    if (this.#sending < MAX_SENDING) this.flush();
  }

  addDrawn(bytes: number): void {
    this.#undrawnBytes = Math.max(0, this.#undrawnBytes - bytes);
    this.#regulate();
  }

  #regulate(): void {
    const waiting = Math.max(this.#undrawnBytes, this.#socket.bufferedAmount + this.#heldBytes);
    if (!this.#isPaused && waiting > PAUSE_BYTES) {
      this.#isPaused = true;
      this.#shell?.pause();
    } else if (this.#isPaused && waiting < RESUME_BYTES) {
      this.#isPaused = false;
      this.#shell?.resume();
      this.#onResumed();
    }
  }
}
