import type { TLSSocket } from 'node:tls';
import { type ChannelSession, MAX_CHANNELS, type MuxCarrier } from '@tongtu/tunnel';
import { reasonOf } from '../net/reason-of.ts';
import { Channel, UNKNOWN_SESSION } from './channel.ts';
import type { ConnectOptions } from './connect-relay.ts';

/** How often channels are tested while visitors are served, and for how long after that. */
const BUSY_PING_MS = 1_000;
const BUSY_FOR_MS = 60_000;
/** A ping without a reply for this long, or some round trips, makes the agent dial another connection. */
const BUSY_PATIENCE_MS = 1_000;
/** Nobody waits, and a radio link that was at rest may need seconds. */
const IDLE_PATIENCE_MS = 3_000;
/** Of heartbeats: after so long without a byte the relay takes the device for offline. */
const AWAY_AFTER_HEARTBEATS = 2.9;
/** How long a relay keeps a session, or a channel of it, after its last byte. */
const KEPT_MS = 60_000;
/** For how long a further channel is dialled in vain. */
const OPEN_WITHIN_MS = 15_000;
/** The relay may have closed it because it wants fewer, and says so over another connection. */
const REOPEN_AFTER_MS = 10_000;
/** When the line is back, a channel that is silent for this long, or some round trips, is dialled at once. */
const SUSPECT_MS = 200;
/** How often dialled channels are looked at: the old connection may work again. */
const DIALLING_CHECK_MS = 100;
/** The clock of the machine went on for so much longer than the process: it was asleep, and its network may be another. */
const SLEPT_MS = 3_000;
/** On a bad line connections are replaced often. */
const REPORT_EVERY_MS = 60_000;

/** How many connections were replaced since the last report, and how long they were silent at most. */
export type Exchange = { connections: number; silentMs: number };

export type ChannelsDeps = {
  session: ChannelSession;
  heartbeatMs: number;
  monotonicMs: () => number;
  wallClockMs: () => number;
  random: () => number;
  connect: (options: ConnectOptions) => Promise<TLSSocket>;
  /** A mux without a connection for this channel. */
  createCarrier: (channel: number) => MuxCarrier;
  hasStreams: () => boolean;
  /** The session cannot go on. */
  onLost: (reason: string) => void;
  /** Nothing has arrived for so long that the device counts as offline; and then something did. */
  onAway: () => void;
  onBack: () => void;
  onExchanged: (exchange: Exchange) => void;
};

/**
 * The connections of one session with a relay: opens those that the relay wants, tests them, and replaces those that
 * are silent or lost, so that streams do not notice.
 */
export class Channels {
  readonly #deps: ChannelsDeps;
  readonly #channels = new Map<number, Channel>();
  #wanted = 1;
  #reopenAtMs = 0;
  #pingedAtMs: number;
  #busyUntilMs: number;
  #wokeAt: { monotonicMs: number; wallClockMs: number };
  #isAway = false;
  #isClosed = false;
  #attempts = 0;
  #exchange: Exchange = { connections: 0, silentMs: 0 };
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(first: MuxCarrier, deps: ChannelsDeps) {
    this.#deps = deps;
    const monotonicMs = deps.monotonicMs();
    this.#pingedAtMs = monotonicMs;
    this.#busyUntilMs = monotonicMs;
    this.#wokeAt = { monotonicMs, wallClockMs: deps.wallClockMs() };
    this.#add(0, first);
    this.#schedule(monotonicMs);
  }

  /** The relay opened a stream: from now on silence is to be noticed soon. */
  onStream(): void {
    const monotonicMs = this.#deps.monotonicMs();
    const wasBusy = monotonicMs < this.#busyUntilMs;
    this.#busyUntilMs = monotonicMs + BUSY_FOR_MS;
    if (!wasBusy) this.#schedule(monotonicMs);
  }

  /** Opens channels until there are `wanted`, and fresh connections for those to `renew`. The relay closes channels. */
  want(wanted: number, renew: number[] = []): void {
    for (const number of renew) this.#channels.get(number)?.renew();
    this.#wanted = Math.min(wanted, this.#deps.session.maxChannels, MAX_CHANNELS);
    this.#openMissing();
    this.#schedule(this.#deps.monotonicMs());
  }

  /** The connection of a channel was lost, which its mux survives. */
  onDisconnected(number: number): void {
    const channel = this.#channels.get(number);
    if (channel === undefined) return;
    // Many agents may lose their connections at the same time.
    setTimeout(() => this.#check(), this.#deps.random() * DIALLING_CHECK_MS);
  }

  /** The mux of a channel was closed, mostly because the relay no longer needs it. */
  onClosed(number: number): void {
    const channel = this.#channels.get(number);
    if (!this.#channels.delete(number)) return;
    channel?.close();
    this.#reopenAtMs = this.#deps.monotonicMs() + REOPEN_AFTER_MS;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const channel of [...this.#channels.values()]) channel.close();
    this.#channels.clear();
  }

  #openMissing(): void {
    for (let number = 1; this.#channels.size < this.#wanted; number++) {
      if (!this.#channels.has(number)) this.#add(number, this.#deps.createCarrier(number)).dial();
    }
  }

  #add(number: number, carrier: MuxCarrier): Channel {
    const { session, monotonicMs, connect } = this.#deps;
    const channel = new Channel(number, carrier, {
      session,
      monotonicMs,
      connect,
      nextAttempt: () => ++this.#attempts,
      // An idle device need not wake up to find that all is well.
      onReply: () => this.#schedule(monotonicMs()),
      onReached: (reached) => this.#dialSuspects(reached),
      onJoined: (joined, silentMs) => this.#onJoined(joined, silentMs),
      onRefused: (refused, code) => this.#giveUp(refused, code),
      onDialFailed: (failed, error) => this.#onDialFailed(failed, error),
    });
    this.#channels.set(number, channel);
    return channel;
  }

  #check(): void {
    if (this.#isClosed) return;
    const monotonicMs = this.#deps.monotonicMs();
    const lastByteAtMs = Math.max(...[...this.#channels.values()].map((channel) => channel.lastByteAtMs));
    if (monotonicMs - lastByteAtMs >= KEPT_MS) return this.#deps.onLost('silent');
    this.#setAway(monotonicMs - lastByteAtMs >= this.#deps.heartbeatMs * AWAY_AFTER_HEARTBEATS);
    if (this.#deps.hasStreams()) this.#busyUntilMs = monotonicMs + BUSY_FOR_MS;
    const hasSlept = this.#hasSlept(monotonicMs);
    if (hasSlept || monotonicMs - this.#pingedAtMs >= this.#pingEveryMs(monotonicMs)) this.#ping(monotonicMs);
    for (const channel of this.#channels.values()) this.#checkChannel(channel, monotonicMs, hasSlept);
    if (this.#isClosed) return;
    if (monotonicMs >= this.#reopenAtMs) this.#openMissing();
    this.#reportExchanges(monotonicMs);
    this.#schedule(monotonicMs);
  }

  #checkChannel(channel: Channel, monotonicMs: number, hasSlept: boolean): void {
    if (!this.#isLost(channel, monotonicMs)) {
      if (hasSlept) this.#dial(channel);
      else if (channel.isDialling && !channel.isNeeded) channel.stopDialling();
      return;
    }
    const limitMs = channel.hasJoined ? KEPT_MS : OPEN_WITHIN_MS;
    if (monotonicMs - channel.lastByteAtMs < limitMs) this.#dial(channel);
    else this.#giveUp(channel, 'silent');
  }

  #isLost(channel: Channel, monotonicMs: number): boolean {
    return !channel.isConnected || channel.silentMs(monotonicMs) >= this.#patienceMs(channel, monotonicMs);
  }

  #isFine(channel: Channel, monotonicMs: number): boolean {
    return channel.isConnected && channel.silentMs(monotonicMs) < channel.patienceMs(SUSPECT_MS);
  }

  #patienceMs(channel: Channel, monotonicMs: number): number {
    const patienceMs = monotonicMs < this.#busyUntilMs ? BUSY_PATIENCE_MS : IDLE_PATIENCE_MS;
    return channel.patienceMs(Math.min(patienceMs, this.#deps.heartbeatMs));
  }

  /** While no channel works, one of them finds out when the line is back, and the others follow. */
  #dial(channel: Channel): void {
    if (channel.isDialling) return;
    const monotonicMs = this.#deps.monotonicMs();
    const others = [...this.#channels.values()].filter((other) => other !== channel);
    const isLineUp = others.some((other) => this.#isFine(other, monotonicMs) || other.hasReachedRelay);
    if (isLineUp || !others.some((other) => other.isDialling)) channel.dial();
  }

  #dialSuspects(reached: Channel): void {
    const monotonicMs = this.#deps.monotonicMs();
    for (const channel of this.#channels.values()) {
      if (channel !== reached && !this.#isFine(channel, monotonicMs)) channel.dial();
    }
  }

  #onJoined(channel: Channel, silentMs: number | undefined): void {
    const monotonicMs = this.#deps.monotonicMs();
    this.#setAway(false);
    channel.ping();
    if (silentMs !== undefined) {
      this.#exchange.connections++;
      this.#exchange.silentMs = Math.max(this.#exchange.silentMs, silentMs);
    }
    this.#reportExchanges(monotonicMs);
    this.#schedule(monotonicMs);
  }

  #reportExchanges(monotonicMs: number): void {
    if (this.#exchange.connections === 0 || monotonicMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    if ([...this.#channels.values()].some((channel) => channel.isDialling)) return;
    this.#reportedAtMs = monotonicMs;
    this.#deps.onExchanged(this.#exchange);
    this.#exchange = { connections: 0, silentMs: 0 };
  }

  /** A closed port says that the relay has ended, unless the connection is only silent: then a router may say so. */
  #onDialFailed(channel: Channel, error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== 'ECONNREFUSED' || channel.isConnected || this.#isAnyFineBut(channel)) return;
    this.#deps.onLost(reason);
  }

  /** Without the first channel, which has the control stream, there is no session. */
  #giveUp(channel: Channel, reason: string): void {
    const isSessionOver = channel.number === 0 || (reason === UNKNOWN_SESSION && !this.#isAnyFineBut(channel));
    if (isSessionOver) this.#deps.onLost(reason);
    else this.onClosed(channel.number);
  }

  #isAnyFineBut(channel: Channel): boolean {
    const monotonicMs = this.#deps.monotonicMs();
    return [...this.#channels.values()].some((other) => other !== channel && this.#isFine(other, monotonicMs));
  }

  #setAway(isAway: boolean): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway) this.#deps.onAway();
    else this.#deps.onBack();
  }

  #hasSlept(monotonicMs: number): boolean {
    const wallClockMs = this.#deps.wallClockMs();
    const before = this.#wokeAt;
    this.#wokeAt = { monotonicMs, wallClockMs };
    return wallClockMs - before.wallClockMs - (monotonicMs - before.monotonicMs) >= SLEPT_MS;
  }

  #ping(monotonicMs: number): void {
    this.#pingedAtMs = monotonicMs;
    for (const channel of this.#channels.values()) channel.ping();
  }

  #pingEveryMs(monotonicMs: number): number {
    const { heartbeatMs } = this.#deps;
    return monotonicMs < this.#busyUntilMs ? Math.min(BUSY_PING_MS, heartbeatMs) : heartbeatMs;
  }

  #schedule(monotonicMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    let dueMs = this.#pingedAtMs + this.#pingEveryMs(monotonicMs) - monotonicMs;
    for (const channel of this.#channels.values()) {
      const silentMs = channel.silentMs(monotonicMs);
      if (channel.isDialling || !channel.isConnected) dueMs = Math.min(dueMs, DIALLING_CHECK_MS);
      else if (silentMs > 0) dueMs = Math.min(dueMs, this.#patienceMs(channel, monotonicMs) - silentMs);
    }
    this.#timer = setTimeout(() => this.#check(), Math.max(Math.ceil(dueMs), 1));
  }
}
