import { ConnectReplyReader, connectRequest, type DialFailure, FrpError, type ProxyTarget } from '@tongtu/frp';
import type { MuxStreamEvents } from '@tongtu/tunnel';
import type { RefusedStatus, TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { TakeConnection, WorkConnection } from './coded-connection.ts';
import type { Dial } from './open-dials.ts';
import { WorkStream } from './work-stream.ts';

const OK = 200;

/**
 * `noProxy`: frpc has no proxy for it, or the plugin of `lan` is not `http_proxy`. `notServed`: frpc could not connect to what
 * its own configuration names.
 */
export type FrpcFailure = DialFailure | 'notAllowed' | 'noProxy' | 'notServed';

export const statusOf: Record<FrpcFailure, RefusedStatus> = {
  refused: 'refused',
  unreachable: 'timeout',
  timeout: 'timeout',
  notFound: 'notFound',
  notAllowed: 'notAllowed',
  noProxy: 'refused',
  notServed: 'refused',
};

export type FrpcTargetDeps = {
  target: ProxyTarget;
  dial: Dial;
  dialTimeoutMs: number;
  takeConnection: TakeConnection;
  /** Why frpc could not connect to the target. */
  askReason: (target: ProxyTarget) => Promise<DialFailure>;
  onConnected?: () => void;
  onFailed?: (failure: FrpcFailure) => void;
  onClosed: () => void;
};

/**
 * A connection to a target by frpc's plugin `http_proxy`. The request and the visitor's first bytes leave in one frame, and
 * nothing waits for the answer. The plugin ends both directions when one ends, so our end is sent only after the target's.
 */
export class FrpcTarget implements TargetStream, MuxStreamEvents {
  readonly emptyUpdateCount = 0;
  readonly #deps: FrpcTargetDeps;
  readonly #events: TargetEvents;
  readonly #reply = new ConnectReplyReader();
  readonly #timer: NodeJS.Timeout;
  readonly #giveUp: () => void;
  readonly #stream = new WorkStream();
  #isConnected = false;
  #hasEnded = false;
  #isClosed = false;

  constructor(deps: FrpcTargetDeps, events: TargetEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#timer = setTimeout(() => this.#onSilence(), deps.dialTimeoutMs);
    this.#giveUp = deps.takeConnection((stream) => this.#stream.begin(stream, this, connectRequest(deps.target)));
  }

  get isWritable(): boolean {
    return !this.#hasEnded && !this.#isClosed;
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes;
  }

  write(chunk: Buffer): boolean {
    return this.#isClosed ? true : this.#stream.write(chunk);
  }

  end(): void {
    this.#hasEnded = true;
  }

  reset(): void {
    if (this.#isClosed) return;
    const { current } = this.#stream;
    if (current === undefined || this.#isConnected) return this.#close();
    this.#isClosed = true;
    this.#letDialEnd(current);
    this.#deps.onClosed();
  }

  consumed(bytes: number): void {
    this.#stream.consumed(bytes);
  }

  onData(chunk: Buffer): void {
    if (this.#isConnected) return this.#events.onData(chunk);
    try {
      const reply = this.#reply.push(chunk);
      if (reply === undefined) return this.consumed(chunk.length);
      this.consumed(chunk.length - reply.rest.length);
      if (reply.status === OK) this.#onConnected(reply.rest);
      else this.#onRefused();
    } catch (error) {
      if (!(error instanceof FrpError)) throw error;
      this.#fail('noProxy'); // another plugin, or a service of its own
    }
  }

  onEnd(): void {
    if (!this.#isConnected) return this.#fail('noProxy');
    this.#hasEnded = true;
    this.#stream.end();
    this.#close();
    this.#events.onEnd();
  }

  onReset(): void {
    if (!this.#isConnected) return this.#fail('noProxy');
    this.#close();
    this.#events.onReset();
  }

  onDrain(): void {
    this.#events.onDrain();
  }

  #onConnected(rest: Buffer): void {
    clearTimeout(this.#timer);
    this.#deps.dial.done();
    this.#isConnected = true;
    this.#deps.onConnected?.();
    if (rest.length > 0) this.#events.onData(rest);
  }

  #onRefused(): void {
    const { dial, target, askReason } = this.#deps;
    dial.done();
    clearTimeout(this.#timer);
    this.#stream.reset();
    // Its user may leave while the reason is asked for.
    void askReason(target).then((reason) => this.#fail(reason));
  }

  #onSilence(): void {
    this.#deps.dial.abandon();
    if (this.#isClosed) this.#stream.reset();
    else this.#fail('timeout');
  }

  /** Its user has left, but frpc goes on dialling, and that counts until it ends or is too long. */
  #letDialEnd(stream: WorkConnection): void {
    const end = () => {
      clearTimeout(this.#timer);
      this.#deps.dial.done();
      stream.reset();
    };
    stream.events = { onData: end, onEnd: end, onReset: end, onDrain() {} };
  }

  #fail(failure: FrpcFailure): void {
    if (this.#isClosed) return;
    this.#close();
    this.#deps.onFailed?.(failure);
    this.#events.onRefused(statusOf[failure]);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#giveUp();
    this.#deps.dial.done();
    this.#stream.close();
    this.#deps.onClosed();
  }
}
