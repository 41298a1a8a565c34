import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  type ChannelSession,
  encodeJoin,
  type JoinRequest,
  MAX_CHANNELS,
  type MuxCarrier,
  MuxClosedError,
  type OpenRequest,
  type RelayMessage,
} from '@tongtu/tunnel';
import type { RelayLimits } from '../../config/relay-limits.ts';
import type { TargetEvents, TargetStream } from '../../upstream/target-stream.ts';
import { ChannelDemand } from './channel-demand.ts';
import type { ChannelSessions, JoinableSession } from './channel-sessions.ts';
import { type ChannelOwner, DeviceChannel } from './device-channel.ts';
import { ConnectionWear } from './connection-wear.ts';
import { isPlacedWell, placeStream } from './place-stream.ts';

type ChannelEvents = {
  /** The connection of a channel is lost; another one may join. */
  onDisconnect: (reason: Error | undefined) => void;
  /** The channel has ended, and so have its streams. */
  onClose: (error: Error | undefined) => void;
};

export type DeviceChannelsOptions = {
  /** Of the connection that has logged in. */
  first: MuxCarrier;
  /** For further channels, which share one budget. */
  openCarrier: (events: ChannelEvents) => MuxCarrier;
  sessions: ChannelSessions;
  send: (message: RelayMessage) => void;
  /** See `ConnectionWear`. */
  lostSegments: (socket: Duplex) => number;
  limits: Pick<RelayLimits, 'channelKeptMs' | 'lossKeptMs' | 'sessionKeptMs'>;
  monotonicMs: () => number;
  /** A channel has another connection. */
  onJoined: (join: { channel: number; address: string }) => void;
  /** A further channel has ended because of an error. */
  onFailed: (error: Error) => void;
};

/**
 * The channels of a device's session: one while the device is idle, more while there is work. The first lives as long as
 * the session, and carries its control stream.
 */
export class DeviceChannels implements ChannelOwner, JoinableSession {
  readonly session: ChannelSession;
  readonly #options: DeviceChannelsOptions;
  readonly #demand: ChannelDemand;
  /** The first one first, the others in the order in which they were opened. */
  readonly #channels: DeviceChannel[];
  /** The last join of each channel: an older one that comes late changes nothing. */
  readonly #attempts: number[] = [];
  #wanted = 1;
  readonly #wear: ConnectionWear;
  #disconnectedAtMs: number | undefined;
  /** A join is a sign of life, before the first byte of its channel. */
  #joinedAtMs = Number.NEGATIVE_INFINITY;
  #isGoingAway = false;

  constructor(options: DeviceChannelsOptions) {
    this.#options = options;
    this.#demand = new ChannelDemand(options.limits.channelKeptMs);
    this.#wear = new ConnectionWear({ ...options, lossKeptMs: options.limits.lossKeptMs });
    this.#channels = [new DeviceChannel(0, options.first, this)];
    this.session = options.sessions.add(this);
  }

  get monotonicMs(): () => number {
    return this.#options.monotonicMs;
  }

  get carriers(): MuxCarrier[] {
    return this.#channels.map(({ carrier }) => carrier);
  }

  get streamCount(): number {
    return this.#channels.reduce((count, { mux }) => count + mux.streamCount, 0);
  }

  get lastReceivedAtMs(): number {
    return this.#channels.reduce((lastMs, { mux }) => Math.max(lastMs, mux.lastReceivedAtMs), this.#joinedAtMs);
  }

  /** Since when no channel has a connection; undefined while one has. */
  get disconnectedAtMs(): number | undefined {
    return this.#disconnectedAtMs;
  }

  /** Throws what `Mux.openStream` throws. */
  open(request: OpenRequest, events: TargetEvents): TargetStream {
    const channel = placeStream(this.#openChannels(), { isSpread: this.#wear.isLossy });
    if (channel === undefined) throw new MuxClosedError('the device takes no new streams');
    return channel.open(request, events);
  }

  isPlacedWell(channel: DeviceChannel): boolean {
    return channel.isOpen && isPlacedWell(channel, this.#openChannels(), { isSpread: this.#wear.isLossy });
  }

  onBusy(): void {
    const monotonicMs = this.#options.monotonicMs();
    this.#note(
      this.#channels.reduce((count, channel) => count + channel.busyCount, 0),
      monotonicMs,
    );
    const wanted = this.#demand.channelCount(monotonicMs);
    if (wanted > this.#wanted) this.#want(wanted);
  }

  /** Between two exchanges the device dials a fresh connection in place of one that has lost much. */
  onUnused({ number, carrier: { socket } }: DeviceChannel): void {
    if (!this.#wear.takeRenewal(number, socket)) return;
    this.#options.send({ type: 'channels', wanted: this.#wanted, renew: [number] });
  }

  join({ channel: number, attempt, receivedBytes }: JoinRequest, socket: TLSSocket, address: string): boolean {
    if (number >= MAX_CHANNELS || attempt <= (this.#attempts[number] ?? 0)) return false;
    const known = this.#channels.find((channel) => channel.number === number);
    const channel = known ?? (receivedBytes === 0 && !this.#isGoingAway ? this.#create(number) : undefined);
    if (channel === undefined || channel.mux.outputSince(receivedBytes) === undefined) return false;
    this.#attempts[number] = attempt;
    this.#wear.onJoined(number);
    if (known === undefined) this.#channels.push(channel);
    socket.write(encodeJoin({ type: 'joined', receivedBytes: channel.mux.receivedBytes }));
    channel.attach(socket, receivedBytes);
    this.#disconnectedAtMs = undefined;
    this.#joinedAtMs = this.#options.monotonicMs();
    this.#options.onJoined({ channel: number, address });
    return true;
  }

  onDisconnect(): void {
    if (this.#channels.some(({ isConnected }) => isConnected)) return;
    this.#disconnectedAtMs ??= this.#options.monotonicMs();
  }

  /** Agents ping by themselves; one that was silent for so long is asked. */
  pingSilent(monotonicMs: number, silentMs: number): void {
    for (const { mux, isConnected } of this.#channels)
      // Rejects when the mux closes, which ends the channel.
      if (isConnected && monotonicMs - mux.lastReceivedAtMs >= silentMs) mux.ping().catch(() => {});
  }

  closeUnneeded(monotonicMs: number, wokeAtMs: number): void {
    if (this.#channels.length === 1) return;
    const activeCount = this.#channels.reduce((count, channel) => count + channel.activeCount(monotonicMs), 0);
    if (activeCount > 0) {
      this.#wear.watch(this.#channels.flatMap(({ carrier: { socket } }) => (socket === undefined ? [] : [socket])));
      this.#note(activeCount, monotonicMs);
    }
    const { sessionKeptMs } = this.#options.limits;
    const needed = this.#demand.channelCount(monotonicMs);
    if (needed < this.#wanted) this.#want(needed);
    let surplus = this.#openChannels().length - needed;
    for (const channel of this.#channels.toReversed()) {
      // Without the first one there is no session; its end ends all.
      if (monotonicMs - Math.max(channel.mux.lastReceivedAtMs, wokeAtMs) >= sessionKeptMs) channel.mux.close();
      else if (surplus > 0 && channel.number > 0 && channel.isOpen && channel.busyCount === 0) {
        channel.closeUnused();
        surplus--;
      }
    }
  }

  goAway(): void {
    this.#isGoingAway = true;
    for (const { mux } of this.#channels) mux.goAway();
  }

  /** The session is over: nothing can join it, and only the first channel is left, for its last message. */
  settle(): void {
    this.#options.sessions.remove(this);
    for (const channel of this.#channels.splice(1)) channel.mux.close();
  }

  #note(busyCount: number, monotonicMs: number): void {
    const bulkCount = this.#channels.reduce((count, { isBulk }) => count + Number(isBulk), 0);
    this.#demand.note({ busyCount, bulkCount, isLossy: this.#wear.isLossy }, monotonicMs);
  }

  #openChannels(): DeviceChannel[] {
    return this.#channels.filter(({ isOpen }) => isOpen);
  }

  #create(number: number): DeviceChannel {
    const carrier = this.#options.openCarrier({
      onDisconnect: () => this.onDisconnect(),
      onClose: (error) => this.#onClosed(channel, error),
    });
    const channel = new DeviceChannel(number, carrier, this);
    return channel;
  }

  #onClosed(channel: DeviceChannel, error: Error | undefined): void {
    const at = this.#channels.indexOf(channel);
    if (at < 0) return; // settled
    this.#channels.splice(at, 1);
    if (error !== undefined) this.#options.onFailed(error);
    this.onDisconnect();
  }

  #want(count: number): void {
    this.#wanted = count;
    this.#options.send({ type: 'channels', wanted: count });
  }
}
