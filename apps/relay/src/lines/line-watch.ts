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
  /** Has the device say how what it has sent since the last time fared: only the sender of bytes knows it. */
  askDevice: () => void;
  onChange: (loss: LineLoss | undefined) => void;
  everyMs: number;
};

type Counters = { sent: number; again: number; received: number };

/** Watches whether the line of one device loses packets, from what the kernels of both ends count anyway. */
export class LineWatch {
  readonly #deps: LineWatchDeps;
  readonly #quality = new LineQuality();
  readonly #counted = new WeakMap<Socket, Counters>();
  #measuredAtMs: number | undefined;
  #receivedSinceAsked = 0;
  #fromDevice: SentBytes = { sent: 0, again: 0 };
  #rttMs = 0;

  constructor(deps: LineWatchDeps) {
    this.#deps = deps;
  }

  /** May be called more often than it measures. */
  measure(monotonicMs: number): void {
    const { everyMs, sockets, askDevice, onChange } = this.#deps;
    this.#measuredAtMs ??= monotonicMs;
    if (monotonicMs - this.#measuredAtMs < everyMs) return;
    this.#measuredAtMs = monotonicMs;
    const toDevice = { sent: 0, again: 0 };
    const rtts: number[] = [];
    for (const socket of sockets()) {
      const passed = this.#countSince(socket, rtts);
      toDevice.sent += passed.sent;
      toDevice.again += passed.again;
      this.#receivedSinceAsked += passed.received;
    }
    if (rtts.length > 0) this.#rttMs = Math.min(...rtts);
    const bytes = { toDevice, fromDevice: this.#fromDevice };
    this.#fromDevice = { sent: 0, again: 0 };
    if (this.#quality.add(bytes, this.#rttMs, monotonicMs)) onChange(this.#quality.shown);
    if (this.#receivedSinceAsked < ASK_AFTER_BYTES) return;
    this.#receivedSinceAsked = 0;
    askDevice();
  }

  /** The device's answer; it counts with the next measurement. */
  onDeviceSent({ sent, again }: SentBytes): void {
    this.#fromDevice = { sent: this.#fromDevice.sent + sent, again: this.#fromDevice.again + Math.min(again, sent) };
  }

  #countSince(socket: Socket, rtts: number[]): Counters {
    const info = this.#deps.readTcpInfo(socket);
    if (info === undefined) return { sent: 0, again: 0, received: 0 };
    rtts.push(info.rttMs);
    const { bytesSent: sent = 0, bytesRetransmitted: again = 0, bytesReceived: received = 0 } = info;
    const before = this.#counted.get(socket) ?? { sent: 0, again: 0, received: 0 };
    this.#counted.set(socket, { sent, again, received });
    return { sent: sent - before.sent, again: again - before.again, received: received - before.received };
  }
}
