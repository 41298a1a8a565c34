import { DatagramDecoder, encodeDatagram } from '@tongtu/tunnel';
import type { UpstreamEvents, UpstreamFailure } from '../upstream/upstream-stream.ts';
import { pageOfFailure } from '../visitors/exchange/page-of-failure.ts';
import type { Visit } from './open-visit.ts';

export type UdpConversationDeps = {
  monotonicMs: () => number;
  /** To the visitor. */
  send: (datagram: Buffer) => void;
  /** Once, at the first datagram from the device. */
  onAnswered: () => void;
  /** Once, unless it was closed. */
  onEnded: () => void;
};

/** The datagrams between one visitor's address and port and a device. It drops those that do not fit into the stream. */
export class UdpConversation implements UpstreamEvents {
  readonly beganAtMs: number;
  /** The visitor's, see `networkOf`. */
  readonly network: string;
  readonly #visit: Visit;
  readonly #deps: UdpConversationDeps;
  readonly #decoder = new DatagramDecoder();
  #lastActiveMs: number;
  #isAnswered = false;
  #isFull = false;

  constructor(visit: Visit, network: string, deps: UdpConversationDeps) {
    this.network = network;
    this.#visit = visit;
    this.#deps = deps;
    this.beganAtMs = deps.monotonicMs();
    this.#lastActiveMs = this.beganAtMs;
    visit.stream.events = this;
    visit.meter.begin(visit.stream.grant);
  }

  get lastActiveMs(): number {
    return this.#lastActiveMs;
  }

  /** A datagram of the visitor's. */
  receive(datagram: Buffer): void {
    this.#lastActiveMs = this.#deps.monotonicMs();
    if (this.#isFull) return;
    this.#visit.meter.addBytesIn(datagram.length);
    if (this.#visit.record !== undefined) this.#visit.record.bytesIn += datagram.length;
    this.#isFull = !this.#visit.stream.write(encodeDatagram(datagram));
  }

  close(): void {
    this.#visit.record?.end({ outcome: 'served' });
    this.#visit.stream.reset();
  }

  onData(chunk: Buffer): void {
    // At once: a datagram that the visitor's side cannot take is dropped, not queued.
    this.#visit.stream.consumed(chunk.length);
    this.#lastActiveMs = this.#deps.monotonicMs();
    for (const datagram of this.#decoder.push(chunk)) {
      if (!this.#isAnswered) this.#begin();
      this.#visit.meter.addBytesOut(datagram.length);
      if (this.#visit.record !== undefined) this.#visit.record.bytesOut += datagram.length;
      this.#deps.send(datagram);
    }
  }

  onEnd(): void {
    this.#visit.record?.end({ outcome: 'served' });
    this.#visit.stream.reset();
    this.#deps.onEnded();
  }

  onFailed(failure: UpstreamFailure): void {
    this.#visit.record?.end({ outcome: 'failed', reason: pageOfFailure(failure, true) });
    this.#visit.meter.failed();
    this.#deps.onEnded();
  }

  onDrain(): void {
    this.#isFull = false;
  }

  #begin(): void {
    this.#isAnswered = true;
    this.#visit.meter.answered(undefined, this.#lastActiveMs - this.beganAtMs);
    this.#deps.onAnswered();
  }
}
