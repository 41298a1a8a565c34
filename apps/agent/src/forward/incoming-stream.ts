import { decodeOpenRequest, type MuxStream, type OpenRequest, openRequestLength } from '@tongtu/tunnel';
import type { Forward, ForwardDeps } from './forward.ts';
import { TcpForward } from './tcp-forward.ts';
import { UdpForward } from './udp-forward.ts';

/** How long the open request may take to arrive. */
const HEAD_TIMEOUT_MS = 10_000;

/** A stream that the relay has opened. It reads the open request and then becomes a TCP or UDP forward. */
export class IncomingStream implements Forward {
  readonly #stream: MuxStream;
  readonly #deps: ForwardDeps;
  readonly #timer: NodeJS.Timeout;
  #head: Buffer = Buffer.alloc(0);
  #forward: Forward | undefined;

  constructor(stream: MuxStream, deps: ForwardDeps) {
    this.#stream = stream;
    this.#deps = deps;
    this.#timer = setTimeout(() => this.abort(), HEAD_TIMEOUT_MS);
  }

  onData(chunk: Buffer): void {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const length = openRequestLength(bytes);
    if (length === undefined || bytes.length < length) this.#head = bytes;
    else this.#begin(bytes);
  }

  onEnd(): void {
    this.abort();
  }

  onReset(): void {
    this.#finish();
  }

  onDrain(): void {}

  abort(): void {
    if (this.#forward !== undefined) return this.#forward.abort();
    this.#stream.reset();
    this.#finish();
  }

  recheck(): void {
    this.#forward?.recheck();
  }

  #begin(bytes: Buffer): void {
    let request: OpenRequest;
    let first: Buffer;
    try {
      ({ request, rest: first } = decodeOpenRequest(bytes));
    } catch {
      return this.abort(); // a status would give the relay no more information
    }
    clearTimeout(this.#timer);
    this.#head = Buffer.alloc(0);
    this.#stream.consumed(bytes.length - first.length);
    const Kind = request.kind === 'udp' ? UdpForward : TcpForward;
    this.#forward = new Kind(this.#stream, request, first, this.#deps);
    this.#stream.events = this.#forward;
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#deps.onDone();
  }
}
