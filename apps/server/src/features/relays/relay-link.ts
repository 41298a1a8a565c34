import { parseJson } from '@tongtu/base';
import { RelayToServer, type ServerToRelay } from '@tongtu/contract';
import type { WebSocket } from 'ws';
import type { Logger } from 'pino';
import { z } from 'zod';

export type RelayLinkDeps = {
  socket: WebSocket;
  log: Logger;
  /** Called for one message at a time, in order. If it rejects, the link ends, and the relay reconnects with its full state. */
  onMessage: (message: RelayToServer) => Promise<void>;
  /** Called once, after the last message. `isStopping` is true if the relay stops on purpose. */
  onClose: (close: { isStopping: boolean }) => void;
};

/** Private close codes (RFC 6455 §7.4.2). */
export const LINK_REPLACED = 4000;
export const LINK_PROTOCOL = 4001;
const NORMAL = 1000;
const INVALID_MESSAGE = 1007;
const TRY_AGAIN = 1013;

const Typed = z.object({ type: z.enum(RelayToServer.options.map(({ shape }) => shape.type.value)) });

const MAX_QUEUED = 64;
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
// Relays send a heartbeat every few seconds; a silent one is a half-open connection.
const MAX_SILENCE_MS = 20_000;
const CLOSE_WITHIN_MS = 1_000;

/** One relay's WebSocket. It passes valid messages on in order, and limits what is queued in both directions. */
export class RelayLink {
  readonly #deps: RelayLinkDeps;
  readonly #queue: RelayToServer[] = [];
  readonly #silence: NodeJS.Timeout;
  #worker: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isEnding = false;

  constructor(deps: RelayLinkDeps) {
    this.#deps = deps;
    const { socket, log } = deps;
    this.#silence = setTimeout(
      () => this.#fail('no message from a relay, closing its connection'),
      MAX_SILENCE_MS,
    ).unref();
    // ws passes each message as one Buffer unless binaryType is changed.
    socket.on('message', (bytes, isBinary) => this.#receive((bytes as Buffer).toString(), isBinary));
    // ws closes the connection itself after an error.
    socket.on('error', (err) => log.warn({ err }, 'connection of a relay failed'));
    socket.on('close', (code) => this.#closed(code));
  }

  send(message: ServerToRelay): void {
    if (this.#isEnding) return;
    const { socket } = this.#deps;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) this.#fail('a relay reads too slowly, closing its connection');
    else socket.send(JSON.stringify(message));
  }

  /** Resolves when the message has left this process, or the connection has ended. For large messages, sent one by one. */
  async deliver(message: ServerToRelay): Promise<void> {
    if (this.#isEnding) return;
    const { socket } = this.#deps;
    await new Promise<void>((resolve) => socket.send(JSON.stringify(message), () => resolve()));
  }

  /** Closes the link and drops queued messages. Resolves when the current message is handled. */
  async end(code: number, reason: string): Promise<void> {
    this.#stopReceiving();
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
      // Only its type, because the message may contain an account token.
      this.#deps.log.warn({ messageType: Typed.safeParse(content).data?.type }, 'invalid message from a relay');
      void this.end(INVALID_MESSAGE, 'invalid message');
      return;
    }
    this.#queue.push(message);
    if (this.#queue.length >= MAX_QUEUED) this.#deps.socket.pause();
    if (!this.#isWorking) this.#worker = this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      try {
        await this.#deps.onMessage(message);
      } catch (err) {
        this.#deps.log.warn({ err, type: message.type }, 'could not handle a message of a relay');
        this.#stopReceiving();
        this.#deps.socket.close(TRY_AGAIN, 'try again');
      }
      if (this.#queue.length === 0) this.#deps.socket.resume();
    }
    this.#isWorking = false;
  }

  #stopReceiving(): void {
    this.#isEnding = true;
    this.#queue.length = 0;
    // A paused socket does not receive the close frame.
    this.#deps.socket.resume();
    clearTimeout(this.#silence);
  }

  #fail(reason: string): void {
    this.#deps.log.warn(reason);
    this.#stopReceiving();
    this.#deps.socket.terminate();
  }

  #closed(code: number): void {
    const isStopping = code === NORMAL && !this.#isEnding;
    clearTimeout(this.#silence);
    // Messages that arrived before the close are still handled.
    void this.#worker.then(() => {
      this.#isEnding = true;
      this.#deps.onClose({ isStopping });
    });
  }
}
