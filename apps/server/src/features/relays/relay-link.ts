import { RelayToServer, type ServerToRelay } from '@tongtu/contract';
import type { WebSocket } from 'ws';
import type { Logger } from 'pino';
import { z } from 'zod';

export type RelayLinkDeps = {
  socket: WebSocket;
  log: Logger;
  /** One message at a time, in order. A rejection ends the link: the relay then comes back and tells everything anew. */
  onMessage: (message: RelayToServer) => Promise<void>;
  /** Once, after the last message. `isStopping`: the relay said that it stops on purpose. */
  onClose: (close: { isStopping: boolean }) => void;
};

/** Close codes of our own (RFC 6455 §7.4.2), besides the standard ones. */
export const LINK_REPLACED = 4000;
export const LINK_PROTOCOL = 4001;
const NORMAL = 1000;
const INVALID_MESSAGE = 1007;
const TRY_AGAIN = 1013;

const Typed = z.object({ type: z.enum(RelayToServer.options.map(({ shape }) => shape.type.value)) });

const MAX_WAITING = 64;
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
// Relays send a heartbeat every few seconds; a silent one is a half-open connection.
const MAX_SILENCE_MS = 20_000;
const CLOSE_WITHIN_MS = 1_000;

/** One relay's WebSocket: whole and valid messages in, in order; bounded both ways. */
export class RelayLink {
  readonly #deps: RelayLinkDeps;
  readonly #waiting: RelayToServer[] = [];
  readonly #silence: NodeJS.Timeout;
  #worker: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isEnding = false;

  constructor(deps: RelayLinkDeps) {
    this.#deps = deps;
    const { socket, log } = deps;
    this.#silence = setTimeout(() => this.#fail('relay link silent'), MAX_SILENCE_MS).unref();
    // ws hands out one Buffer a message unless its binaryType is changed.
    socket.on('message', (bytes, isBinary) => this.#receive((bytes as Buffer).toString(), isBinary));
    // ws closes the connection itself after an error.
    socket.on('error', (err) => log.warn({ err }, 'relay link failed'));
    socket.on('close', (code) => this.#closed(code));
  }

  send(message: ServerToRelay): void {
    if (this.#isEnding) return;
    const { socket } = this.#deps;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) this.#fail('relay reads too slowly');
    else socket.send(JSON.stringify(message));
  }

  /** Resolves when it has left this process, or never will: for what is too much to wait here in memory. */
  async deliver(message: ServerToRelay): Promise<void> {
    if (this.#isEnding) return;
    const { socket } = this.#deps;
    await new Promise<void>((resolve) => socket.send(JSON.stringify(message), () => resolve()));
  }

  /** Nothing more is taken from the relay; resolves when the message in work is done. */
  async end(code: number, reason: string): Promise<void> {
    this.#stopTaking();
    this.#deps.socket.close(code, reason);
    setTimeout(() => this.#deps.socket.terminate(), CLOSE_WITHIN_MS).unref();
    await this.#worker;
  }

  #receive(text: string, isBinary: boolean): void {
    if (this.#isEnding) return;
    this.#silence.refresh();
    const content = isBinary ? undefined : parseJson(text);
    const { data: message } = RelayToServer.safeParse(content);
    if (message === undefined) {
      // No more of it: it may hold the token of an account.
      this.#deps.log.warn({ messageType: Typed.safeParse(content).data?.type }, 'invalid message from a relay');
      void this.end(INVALID_MESSAGE, 'invalid message');
      return;
    }
    this.#waiting.push(message);
    if (this.#waiting.length >= MAX_WAITING) this.#deps.socket.pause();
    if (!this.#isWorking) this.#worker = this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      try {
        await this.#deps.onMessage(message);
      } catch (err) {
        this.#deps.log.warn({ err, type: message.type }, 'message of a relay could not be handled');
        this.#stopTaking();
        this.#deps.socket.close(TRY_AGAIN, 'try again');
      }
      if (this.#waiting.length === 0) this.#deps.socket.resume();
    }
    this.#isWorking = false;
  }

  #stopTaking(): void {
    this.#isEnding = true;
    this.#waiting.length = 0;
    // A paused socket would not see the other side's close.
    this.#deps.socket.resume();
    clearTimeout(this.#silence);
  }

  #fail(reason: string): void {
    this.#deps.log.warn(reason);
    this.#stopTaking();
    this.#deps.socket.terminate();
  }

  #closed(code: number): void {
    const isStopping = code === NORMAL && !this.#isEnding;
    clearTimeout(this.#silence);
    // What arrived before the close still counts.
    void this.#worker.then(() => {
      this.#isEnding = true;
      this.#deps.onClose({ isStopping });
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // its sender is told by the close code
  }
}
