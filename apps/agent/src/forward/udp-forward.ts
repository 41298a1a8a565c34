import type { Socket } from 'node:dgram';
import {
  DatagramDecoder,
  encodeDatagram,
  type MuxStream,
  type OpenRequest,
  type OpenStatus,
  openStatus,
} from '@tongtu/tunnel';
import { must } from '@tongtu/base';
import { dialUdp } from './dial-udp.ts';
import type { Forward, ForwardDeps } from './forward.ts';
import { resolveTarget } from './resolve-target.ts';
import { openStatusOf, TargetError, targetErrorOf } from './target-error.ts';

/** How long a name may take to be resolved. */
const OPEN_TIMEOUT_MS = 10_000;
/** Relays end idle conversations. This ends one that a relay has forgotten. */
const IDLE_MS = 300_000;
/** How long a relay may take to end a stream that this side has ended. */
const LINGER_MS = 10_000;
/** Bytes queued for the tunnel or the system. Datagrams beyond it are dropped. */
const MAX_QUEUED_BYTES = 128 * 1024;
/** Datagrams queued while the target's name is resolved. */
const MAX_EARLY_DATAGRAMS = 16;

/** Errors of a connected socket that mean that its target is closed or cannot be reached. */
const END_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * One stream of the relay and the UDP conversation behind it. As in any network datagrams may be lost: where the tunnel
 * or the target is slower than the other side they are dropped, and the tunnel is never held up.
 */
export class UdpForward implements Forward {
  readonly #stream: MuxStream;
  readonly #request: OpenRequest;
  readonly #deps: ForwardDeps;
  readonly #decoder = new DatagramDecoder();
  #phase: 'opening' | 'open' | 'ended' | 'done' = 'opening';
  #early: Buffer[] = [];
  #socket: Socket | undefined;
  #isStatusSent = false;
  #timer: NodeJS.Timeout;

  constructor(stream: MuxStream, request: OpenRequest, first: Buffer, deps: ForwardDeps) {
    this.#stream = stream;
    this.#request = request;
    this.#deps = deps;
    this.#timer = setTimeout(() => this.#end('timeout'), OPEN_TIMEOUT_MS);
    if (first.length > 0) this.onData(first);
    void this.#open();
  }

  onData(chunk: Buffer): void {
    this.#stream.consumed(chunk.length);
    for (const datagram of this.#decoder.push(chunk)) this.#send(datagram);
  }

  onEnd(): void {
    this.abort();
  }

  onReset(): void {
    this.#finish();
  }

  onDrain(): void {}

  abort(): void {
    this.#stream.reset();
    this.#finish();
  }

  recheck(): void {
    if (!this.#deps.isAllowed(this.#request)) this.abort();
  }

  async #open(): Promise<void> {
    const { host, port } = this.#request;
    try {
      if (!this.#deps.isAllowed(this.#request)) throw new TargetError('notAllowed');
      const [address] = await resolveTarget(host, this.#deps.resolver);
      const socket = await dialUdp(must(address, 'a resolved address'), port);
      if (this.#phase === 'opening') this.#join(socket);
      else socket.close();
    } catch (error) {
      this.#end(openStatusOf(targetErrorOf(error).failure));
    }
  }

  #join(socket: Socket): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort(), IDLE_MS);
    this.#phase = 'open';
    this.#socket = socket;
    socket.on('error', (error) => this.#onError(error));
    socket.on('message', (datagram) => this.#onMessage(datagram));
    for (const datagram of this.#early.splice(0)) this.#send(datagram);
  }

  #send(datagram: Buffer): void {
    if (this.#phase === 'opening' && this.#early.length < MAX_EARLY_DATAGRAMS) this.#early.push(datagram);
    if (this.#phase !== 'open' || this.#socket === undefined) return;
    this.#timer.refresh();
    if (this.#socket.getSendQueueSize() >= MAX_QUEUED_BYTES) return;
    this.#socket.send(datagram, (error) => {
      if (error !== null) this.#onError(error);
    });
  }

  #onMessage(datagram: Buffer): void {
    if (this.#phase !== 'open') return;
    this.#timer.refresh();
    if (this.#stream.queuedBytes >= MAX_QUEUED_BYTES) return;
    if (!this.#isStatusSent) this.#stream.write(Buffer.of(openStatus.connected));
    this.#isStatusSent = true;
    this.#stream.write(encodeDatagram(datagram));
  }

  /** A datagram that cannot be sent, such as one that is too long, is lost. The conversation continues. */
  #onError(error: Error): void {
    if ('code' in error && END_CODES.has(String(error.code))) this.#end(openStatusOf(targetErrorOf(error).failure));
  }

  #end(status: OpenStatus): void {
    if (this.#phase !== 'opening' && this.#phase !== 'open') return;
    this.#phase = 'ended';
    this.#close();
    if (!this.#isStatusSent) this.#stream.write(Buffer.of(openStatus[status]));
    this.#stream.end();
    this.#timer = setTimeout(() => this.abort(), LINGER_MS);
  }

  #finish(): void {
    if (this.#phase === 'done') return;
    this.#phase = 'done';
    this.#close();
    this.#deps.onDone();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#early = [];
    this.#socket?.close();
    this.#socket = undefined;
  }
}
