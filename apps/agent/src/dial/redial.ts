import type { TLSSocket } from 'node:tls';
import type { ConnectOptions } from './connect-relay.ts';

/** Between two tries when the relay cannot be reached. Within a try there is a fresh TCP connection as often. */
const AGAIN_AFTER_MS = 500;
/** How long a try whose TCP connection is open stays alone: a relay to which many devices return needs time. */
const STUCK_AFTER_MS = 2_000;
const MAX_PAUSE_MS = 4_000;
const MAX_TRIES = 4;
/** From the open TLS connection to the answer. */
const ANSWER_WITHIN_MS = 10_000;

export type RedialDeps = {
  connect: (options: ConnectOptions) => Promise<TLSSocket>;
  /** False: the channel has a connection that works, so that nothing more is to be asked of the relay. */
  isNeeded: () => boolean;
  /** A TCP connection is open: the line works. */
  onReached: () => void;
  /** Asks for the channel over this connection, and owns it from now on. */
  join: (socket: TLSSocket, signal: AbortSignal) => Promise<void>;
  onFailure: (error: unknown) => void;
};

type Try = { over: AbortController; isJoining: boolean };

/** Opens connections for a channel, one after the other and beside each other, until it is stopped. */
export class Redial {
  readonly #deps: RedialDeps;
  readonly #tries: Try[] = [];
  #isRunning = false;
  #hasReached = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RedialDeps) {
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** A TCP connection was opened since the start. */
  get hasReached(): boolean {
    return this.#isRunning && this.#hasReached;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#hasReached = false;
    this.#failures = 0;
    void this.#try();
  }

  /** The relay may be about to grant what was already asked, so those tries go on. */
  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    for (const each of this.#tries) if (!each.isJoining) each.over.abort();
  }

  abort(): void {
    this.stop();
    for (const each of this.#tries) each.over.abort();
  }

  async #try(): Promise<void> {
    const own: Try = { over: new AbortController(), isJoining: false };
    const { signal } = own.over;
    if (this.#tries.length === MAX_TRIES) this.#tries.shift()?.over.abort();
    this.#tries.push(own);
    let isReached = false;
    const onReached = () => {
      isReached = true;
      this.#hasReached = true;
      this.#tryAgainIn(Math.min(STUCK_AFTER_MS * this.#tries.length, MAX_PAUSE_MS));
      this.#deps.onReached();
    };
    try {
      const socket = await this.#deps.connect({ signal, onReached });
      if (signal.aborted || !this.#isRunning || !this.#deps.isNeeded()) {
        socket.destroy();
        return;
      }
      own.isJoining = true;
      await this.#join(socket, signal);
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error, isReached);
    } finally {
      const index = this.#tries.indexOf(own);
      if (index >= 0) this.#tries.splice(index, 1);
    }
  }

  async #join(socket: TLSSocket, signal: AbortSignal): Promise<void> {
    const end = () => socket.destroy();
    const timer = setTimeout(end, ANSWER_WITHIN_MS);
    signal.addEventListener('abort', end, { once: true });
    try {
      await this.#deps.join(socket, signal);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  /** A relay that answers and then fails is asked less and less often. */
  #onFailure(error: unknown, isReached: boolean): void {
    this.#tryAgainIn(Math.min(AGAIN_AFTER_MS * 2 ** this.#failures, MAX_PAUSE_MS));
    if (isReached) this.#failures++;
    this.#deps.onFailure(error);
  }

  #tryAgainIn(pauseMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isRunning) this.#timer = setTimeout(() => void this.#try(), pauseMs);
  }
}
