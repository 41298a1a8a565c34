import type { TLSSocket } from 'node:tls';
import {
  type ChannelSession,
  JOIN_PROTOCOL,
  type JoinAnswer,
  type JoinRequest,
  type Mux,
  type MuxCarrier,
  ProtocolError,
} from '@tongtu/tunnel';
import type { ConnectOptions } from './connect-relay.ts';
import { dropBytes, requestJoin } from './join-channel.ts';
import { Redial } from './redial.ts';

/** The relay's code for a session that it does not have, or no longer. */
export const UNKNOWN_SESSION = 'session.unknown';

const notAsked: JoinAnswer = { type: 'refused', code: UNKNOWN_SESSION };

/** A fresh connection in place of one that works is not dialled for longer than this. */
const RENEW_WITHIN_MS = 15_000;
/** A reply may take so many of the shortest round trips, */
const PATIENCE_RTTS = 4;
/** and so many of the last one, which was longer if others fill the line; within limits, because it may have been a cut. */
const PATIENCE_LAST_RTTS = 2;
const MAX_LAST_PATIENCE_MS = 4_000;

export type ChannelDeps = {
  session: ChannelSession;
  monotonicMs: () => number;
  connect: (options: ConnectOptions) => Promise<TLSSocket>;
  /** A ping was answered. */
  onReply: () => void;
  onReached: (channel: Channel) => void;
  /** Rises with every call in the session. */
  nextAttempt: () => number;
  /** It has a fresh connection, after this time without a byte; undefined: it had lost none. */
  onJoined: (channel: Channel, silentMs: number | undefined) => void;
  /** The relay does not carry it any more. */
  onRefused: (channel: Channel, code: string) => void;
  onDialFailed: (channel: Channel, error: unknown) => void;
};

/** One channel of a session: a mux, the connection that carries it, and the way to a fresh connection. */
export class Channel {
  readonly number: number;
  readonly #carrier: MuxCarrier;
  readonly #deps: ChannelDeps;
  readonly #redial: Redial;
  #attachedAtMs: number;
  #hasJoined: boolean;
  #dialledAtMs = 0;
  #lastRttMs = 0;
  #isRenewing = false;
  /** The last try that was sent to the relay, and the last that it granted. */
  #attempt = 0;
  #joinedAttempt = 0;

  constructor(number: number, carrier: MuxCarrier, deps: ChannelDeps) {
    this.number = number;
    this.#carrier = carrier;
    this.#deps = deps;
    this.#attachedAtMs = deps.monotonicMs();
    this.#hasJoined = carrier.socket !== undefined;
    this.#redial = new Redial({
      connect: deps.connect,
      isNeeded: () => this.isNeeded,
      onReached: () => deps.onReached(this),
      join: (socket) => this.#join(socket),
      onFailure: (error) => deps.onDialFailed(this, error),
    });
  }

  get mux(): Mux {
    return this.#carrier.mux;
  }

  get isConnected(): boolean {
    return this.#carrier.socket !== undefined;
  }

  /** It had a connection at some time. */
  get hasJoined(): boolean {
    return this.#hasJoined;
  }

  get isDialling(): boolean {
    return this.#redial.isRunning;
  }

  /** While it is being dialled: a fresh TCP connection was opened. */
  get hasReachedRelay(): boolean {
    return this.#redial.hasReached;
  }

  /** When its last byte arrived, or when it began. */
  get lastByteAtMs(): number {
    return Math.max(this.mux.lastReceivedAtMs, this.#attachedAtMs);
  }

  /** It is to get a fresh connection: nothing has arrived since the dialling began, or the relay has asked for one. */
  get isNeeded(): boolean {
    return !this.mux.isClosed && (!this.isConnected || this.#isRenewalDue || this.lastByteAtMs <= this.#dialledAtMs);
  }

  get #isRenewalDue(): boolean {
    return this.#isRenewing && this.#deps.monotonicMs() - this.#dialledAtMs < RENEW_WITHIN_MS;
  }

  /** For how long nothing has arrived although a reply is due. */
  silentMs(monotonicMs: number): number {
    return this.isConnected ? Math.min(this.mux.silentMs(monotonicMs), monotonicMs - this.lastByteAtMs) : 0;
  }

  /** How long to wait for a reply before another connection is dialled. */
  patienceMs(shortestMs: number): number {
    const lastMs = Math.min(PATIENCE_LAST_RTTS * this.#lastRttMs, MAX_LAST_PATIENCE_MS);
    return Math.max(shortestMs, PATIENCE_RTTS * (this.mux.rttMs ?? 0), lastMs);
  }

  ping(): void {
    if (!this.isConnected || this.mux.silentMs(this.#deps.monotonicMs()) > 0) return;
    this.mux.ping().then(
      (rttMs) => {
        this.#lastRttMs = rttMs;
        this.#deps.onReply();
      },
      () => {}, // the mux was closed, which it reports itself
    );
  }

  /** Dials until the channel has a fresh connection, or the old one delivers something again. */
  dial(): void {
    if (this.isDialling) return;
    if (!this.isConnected) this.#isRenewing = false;
    this.#dialledAtMs = this.#deps.monotonicMs();
    this.#redial.start();
  }

  /** Dials a fresh connection although the present one works. */
  renew(): void {
    if (this.isDialling) return;
    this.#isRenewing = true;
    this.dial();
  }

  stopDialling(): void {
    this.#redial.stop();
  }

  close(): void {
    this.#redial.abort();
    // Its connection ends after the GoAway: without that the relay would keep the channel for a while.
    if (!this.mux.isClosed) this.mux.close();
  }

  async #join(socket: TLSSocket): Promise<void> {
    const { id, secret } = this.#deps.session;
    const request: JoinRequest = {
      session: id,
      secret,
      channel: this.number,
      attempt: this.#deps.nextAttempt(),
      receivedBytes: this.mux.receivedBytes,
    };
    this.#attempt = request.attempt;
    // An older relay in place of the one that has the session.
    const isAsked = socket.alpnProtocol === JOIN_PROTOCOL;
    const answer = isAsked ? await requestJoin(socket, request) : notAsked;
    if (this.mux.isClosed) return void socket.destroy();
    if (answer.type === 'refused') {
      socket.destroy();
      return this.#onRefused(request.attempt, answer.code);
    }
    await this.#move(socket, request, answer);
  }

  async #move(
    socket: TLSSocket,
    { attempt, receivedBytes }: JoinRequest,
    answer: Extract<JoinAnswer, { type: 'joined' }>,
  ): Promise<void> {
    // The relay granted another try after this one.
    if (attempt < this.#joinedAttempt) return void socket.destroy();
    this.#joinedAttempt = attempt;
    this.#redial.stop();
    this.#carrier.detach();
    try {
      // The relay repeats what it sent after `receivedBytes`; the old connection may have delivered some of that meanwhile.
      await dropBytes(socket, this.mux.receivedBytes - receivedBytes);
      if (this.mux.isClosed || attempt !== this.#joinedAttempt) return void socket.destroy();
      this.#carrier.attach(socket, answer.receivedBytes);
    } catch (error) {
      if (attempt !== this.#joinedAttempt || this.mux.isClosed) throw error;
      if (error instanceof ProtocolError) this.#deps.onRefused(this, 'protocol');
      else this.dial();
      throw error;
    }
    socket.resume();
    const monotonicMs = this.#deps.monotonicMs();
    const wasLost = this.#hasJoined && !this.#isRenewing;
    const silentMs = wasLost ? monotonicMs - this.lastByteAtMs : undefined;
    this.#attachedAtMs = monotonicMs;
    this.#hasJoined = true;
    this.#isRenewing = false;
    this.#deps.onJoined(this, silentMs);
  }

  #onRefused(attempt: number, code: string): void {
    if (this.#isRenewing && this.isConnected) {
      this.#isRenewing = false;
      return this.stopDialling();
    }
    // A later try was asked for or granted, or the old connection works again: this answer says nothing.
    if (attempt === this.#attempt && attempt > this.#joinedAttempt && this.isNeeded) this.#deps.onRefused(this, code);
  }
}
