import type { WebSocket } from 'ws';
import type { Shell } from './shell.ts';

const PAUSE_BYTES = 512 * 1024;
const RESUME_BYTES = 128 * 1024;

/**
 * Sends output no faster than the browser draws it. What the connection has not taken counts too, so that a browser
 * that claims to have drawn everything cannot fill the memory.
 */
export class OutputPacing {
  readonly #socket: WebSocket;
  readonly #onResumed: () => void;
  #shell: Shell | undefined;
  #undrawnBytes = 0;
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
    this.#socket.send(bytes, { binary: true }, () => this.#regulate());
    this.#regulate();
  }

  addDrawn(bytes: number): void {
    this.#undrawnBytes = Math.max(0, this.#undrawnBytes - bytes);
    this.#regulate();
  }

  #regulate(): void {
    const waiting = Math.max(this.#undrawnBytes, this.#socket.bufferedAmount);
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
