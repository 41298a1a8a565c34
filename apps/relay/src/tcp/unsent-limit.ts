import type { Socket } from 'node:net';
import { getSocketCalls, TCP_NOTSENT_LOWAT } from './socket-calls.ts';
import { readTcpInfo } from './tcp-info.ts';

const FIRST_BYTES = 128 * 1024;
const LEAST_BYTES = 32 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;
/** As much as leaves in this time: the kernel sends from it while this process is busy. */
const UNSENT_MS = 25;
/** The rate is read again after this, or as much as the limit. */
const STEP_BYTES = 256 * 1024;
/** Of the limit, what is written at once; least and most. */
const SHARE = 4;
const LEAST_SHARE_BYTES = 16 * 1024;
const MOST_SHARE_BYTES = 512 * 1024;

/**
 * Limits how much unsent data the kernel takes for a connection of several streams: what is more urgent would wait behind
 * it. The limit follows the rate of the line. Without the system's option the kernel takes some megabytes.
 */
export class UnsentLimit {
  readonly #socket: Socket;
  #newBytes = 0;
  #limitBytes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#set(FIRST_BYTES);
  }

  /** How much may wait to be written to the socket. */
  get shareBytes(): number {
    return Math.min(MOST_SHARE_BYTES, Math.max(LEAST_SHARE_BYTES, this.#limitBytes / SHARE));
  }

  /** Bytes were written. */
  add(bytes: number): void {
    this.#newBytes += bytes;
    if (this.#newBytes >= Math.max(STEP_BYTES, this.#limitBytes)) this.#update();
  }

  #update(): void {
    this.#newBytes = 0;
    const info = readTcpInfo(this.#socket);
    if (info?.deliveryRateBytesPerS === undefined) return;
    const wanted = (info.deliveryRateBytesPerS * UNSENT_MS) / 1000;
    const limit = 2 ** Math.round(Math.log2(Math.min(MOST_BYTES, Math.max(LEAST_BYTES, wanted))));
    // A rate that the service or the tunnel sets says only that the line carries no less.
    if (limit > this.#limitBytes || !info.isRateAppLimited) this.#set(limit);
  }

  #set(bytes: number): void {
    if (bytes === this.#limitBytes) return;
    this.#limitBytes = bytes;
    const value = Buffer.alloc(4);
    value.writeUInt32LE(bytes);
    getSocketCalls().calls?.set(this.#socket, TCP_NOTSENT_LOWAT, value);
  }
}
