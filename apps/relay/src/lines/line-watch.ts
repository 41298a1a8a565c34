import type { Socket } from 'node:net';
import type { LineLoss } from '@tongtu/contract';
import type { TcpInfo } from '../tcp/tcp-info.ts';
import { LineQuality, type SentBytes } from './line-quality.ts';

/** The device is asked how what it sends fares when it has sent so much since the last time. */
const ASK_AFTER_BYTES = 200_000;

export type LineWatchDeps = {
  /** The open connections of the device to this relay. */
  sockets: () => readonly Socket[];
  readTcpInfo: (socket: Socket) => TcpInfo | undefined;
  readCongestionControl: (socket: Socket) => string | undefined;
  /** Has the device say how what it has sent since the last time fared: only the sender of bytes knows it. */
  askDevice: () => void;
  onChange: (loss: LineLoss | undefined) => void;
  everyMs: number;
};

type Counters = { sent: number; again: number; received: number };
/** What a device says of the bytes that it has sent. */
type DeviceSent = Pick<SentBytes, 'sent' | 'again' | 'congestionControl' | 'peakBytesPerS'>;

/** Watches whether the line of one device loses packets, from what the kernels of both ends count anyway. */
export class LineWatch {
  readonly #deps: LineWatchDeps;
  readonly #quality = new LineQuality();
  readonly #counted = new WeakMap<Socket, Counters>();
  #measuredAtMs: number | undefined;
  /** Of what was received since the device was asked, and at which rate at most. */
  #received = { bytes: 0, bytesPerS: 0 };
  /** The rate at most of what the device is being asked about. */
  #askedBytesPerS = 0;
  #fromDevice: SentBytes | undefined;
  #rttMs = 0;

  constructor(deps: LineWatchDeps) {
    this.#deps = deps;
  }

  /** May be called more often than it measures. */
  measure(monotonicMs: number): void {
    const { everyMs, askDevice, onChange } = this.#deps;
    this.#measuredAtMs ??= monotonicMs;
    const seconds = (monotonicMs - this.#measuredAtMs) / 1000;
    if (seconds * 1000 < everyMs) return;
    this.#measuredAtMs = monotonicMs;
    const { toDevice, received } = this.#readSockets(seconds);
    const bytes = { toDevice, fromDevice: this.#fromDevice };
    this.#fromDevice = undefined;
    if (this.#quality.add(bytes, this.#rttMs, monotonicMs)) onChange(this.#quality.shown);
    this.#received.bytes += received;
    this.#received.bytesPerS = Math.max(this.#received.bytesPerS, received / seconds);
    if (this.#received.bytes < ASK_AFTER_BYTES) return;
    this.#askedBytesPerS = this.#received.bytesPerS;
    this.#received = { bytes: 0, bytesPerS: 0 };
    askDevice();
  }

  /** The device's answer; it counts with the next measurement. */
  onDeviceSent({ sent, again, ...more }: DeviceSent): void {
    this.#fromDevice = { sent, again: Math.min(again, sent), bytesPerS: this.#askedBytesPerS, ...more };
  }

  #readSockets(seconds: number): { toDevice: SentBytes; received: number } {
    const { sockets, readTcpInfo, readCongestionControl } = this.#deps;
    const sum: Counters = { sent: 0, again: 0, received: 0 };
    const rtts: number[] = [];
    let peakBytesPerS: number | null = null;
    let congestionControl: string | null = null;
    for (const socket of sockets()) {
      const info = readTcpInfo(socket);
      if (info === undefined) continue;
      rtts.push(info.rttMs);
      peakBytesPerS = Math.max(peakBytesPerS ?? 0, info.deliveryRateBytesPerS ?? 0);
      const passed = this.#countSince(socket, info);
      if (passed.sent > 0) congestionControl ??= readCongestionControl(socket) ?? null;
      sum.sent += passed.sent;
      sum.again += passed.again;
      sum.received += passed.received;
    }
    if (rtts.length > 0) this.#rttMs = Math.min(...rtts);
    const { received, ...sent } = sum;
    return { received, toDevice: { ...sent, congestionControl, peakBytesPerS, bytesPerS: sent.sent / seconds } };
  }

  #countSince(socket: Socket, info: TcpInfo): Counters {
    const { bytesSent: sent = 0, bytesRetransmitted: again = 0, bytesReceived: received = 0 } = info;
    const before = this.#counted.get(socket) ?? { sent: 0, again: 0, received: 0 };
    this.#counted.set(socket, { sent, again, received });
    return { sent: sent - before.sent, again: again - before.again, received: received - before.received };
  }
}
