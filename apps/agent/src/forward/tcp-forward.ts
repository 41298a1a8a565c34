import type { Socket } from 'node:net';
import {
  isHttp2Kind,
  isVerifiedKind,
  type MuxStream,
  type OpenRequest,
  type OpenStatus,
  openStatus,
} from '@tongtu/tunnel';
import { dialTcp } from './dial-tcp.ts';
import type { Forward, ForwardDeps } from './forward.ts';
import { outliveWriteErrors } from './outlive-write-errors.ts';
import { resolveTarget } from './resolve-target.ts';
import { startTls } from './start-tls.ts';
import { openStatusOf, TargetError, targetErrorOf } from './target-error.ts';

/** How long the target may take to accept the connection. */
const OPEN_TIMEOUT_MS = 10_000;
/** How long a relay may take to end a stream that failed to open, and a target to take what it was sent last. */
const LINGER_MS = 10_000;
/** How long the target may take to send the last data of a broken connection, such as an early answer to an upload. */
const FINAL_DATA_MS = 5000;
/** How long the relay may take none of it, because its visitor is slow. */
const FINAL_STALL_MS = 60_000;

/**
 * One stream of the relay and the TCP connection behind it. Bytes pass both ways with half-close; the window is given
 * back only for bytes that the LAN service has taken, so a slow service slows its own stream and nothing else.
 */
export class TcpForward implements Forward {
  readonly #stream: MuxStream;
  readonly #request: OpenRequest;
  readonly #deps: ForwardDeps;
  readonly #dialing = new AbortController();
  #phase: 'dialing' | 'open' | 'broken' | 'failed' | 'done' = 'dialing';
  /** Data that arrived before the target was connected. */
  #early: Buffer[] = [];
  /** The TCP connection, and the same or TLS over it. */
  #tcp: Socket | undefined;
  #target: Socket | undefined;
  #isRelayEnded = false;
  #isTargetEnded = false;
  #isStatusSent = false;
  /** The target was written to after its last data. */
  #isAnswerNext = false;
  /** Writes to the target fail; its data may still be read. */
  #isWriteBroken = false;
  #timer: NodeJS.Timeout;

  constructor(stream: MuxStream, request: OpenRequest, first: Buffer, deps: ForwardDeps) {
    this.#stream = stream;
    this.#request = request;
    this.#deps = deps;
    if (first.length > 0) this.#early.push(first);
    this.#timer = setTimeout(() => {
      this.#fail('timeout');
      this.#dialing.abort(new TargetError('timeout'));
    }, OPEN_TIMEOUT_MS);
    void this.#open();
  }

  onData(chunk: Buffer): void {
    switch (this.#phase) {
      case 'dialing':
        this.#early.push(chunk); // no more than one window
        return;
      case 'open':
        return this.#writeToTarget(chunk);
      case 'broken':
        return; // the window is not given back: nothing takes the data
      case 'failed':
      case 'done':
        return this.#stream.consumed(chunk.length);
    }
  }

  onEnd(): void {
    this.#isRelayEnded = true;
    if (this.#phase === 'open') this.#target?.end();
    else if (this.#phase === 'failed' || (this.#phase === 'broken' && this.#isTargetEnded)) this.#finish();
  }

  onReset(): void {
    this.#finish();
  }

  onDrain(): void {
    if (this.#phase === 'open') this.#target?.resume();
  }

  /** Ends both sides at once. */
  abort(): void {
    this.#stream.reset();
    this.#finish();
  }

  recheck(): void {
    if (this.#phase === 'failed' || this.#phase === 'done') return;
    if (!this.#deps.isAllowed(this.#request)) this.abort();
  }

  async #open(): Promise<void> {
    const { kind, host, port, tlsName } = this.#request;
    const { signal } = this.#dialing;
    try {
      if (!this.#deps.isAllowed(this.#request)) throw new TargetError('notAllowed');
      const addresses = await resolveTarget(host, this.#deps.resolver);
      this.#tcp = await dialTcp(addresses, port, signal);
      this.#target =
        kind === 'tcp'
          ? this.#tcp
          : await startTls(this.#tcp, tlsName ?? host, {
              isVerified: isVerifiedKind(kind),
              isHttp2: isHttp2Kind(kind),
              signal,
            });
    } catch (error) {
      this.#fail(openStatusOf(targetErrorOf(error).failure));
      return;
    }
    if (this.#phase === 'dialing') this.#join(this.#target);
    else this.#target.destroy();
  }

  #join(target: Socket): void {
    clearTimeout(this.#timer);
    this.#phase = 'open';
    outliveWriteErrors(target, () => this.#onWriteBroken(target));
    target.on('data', (chunk: Buffer) => {
      if (this.#phase === 'open' && !this.#writeToRelay(chunk)) target.pause();
    });
    target.on('end', () => this.#onTargetEnd(target));
    target.on('close', () => this.#onTargetClose()); // after an error as well
    if (target.destroyed) return this.#onTargetClose();
    for (const chunk of this.#early.splice(0)) this.#writeToTarget(chunk);
    if (this.#isRelayEnded) target.end();
  }

  /**
   * Marks the first bytes after a write to the target by an empty window update before them. Bytes without that mark
   * were sent before the target saw the relay's last request, so they cannot be its answer.
   */
  #writeToRelay(chunk: Buffer): boolean {
    if (this.#isAnswerNext && this.#stream.queuedBytes === 0) {
      this.#isAnswerNext = false;
      this.#stream.sendEmptyUpdate();
    }
    return this.#stream.write(this.#withStatus(chunk));
  }

  #writeToTarget(chunk: Buffer): void {
    this.#isAnswerNext = true;
    this.#target?.write(chunk, (error) => {
      if (!error && this.#phase === 'open') this.#stream.consumed(chunk.length);
    });
  }

  /** The status is sent with the first bytes of the target, which saves a packet for each connection. */
  #withStatus(chunk: Buffer): Buffer {
    if (this.#isStatusSent) return chunk;
    this.#isStatusSent = true;
    return Buffer.concat([Buffer.of(openStatus.connected), chunk]);
  }

  #onWriteBroken(target: Socket): void {
    if (this.#phase !== 'open' || this.#isWriteBroken) return;
    this.#isWriteBroken = true;
    this.#awaitFinalData();
    if (this.#isTargetEnded) target.destroy();
  }

  #onTargetEnd(target: Socket): void {
    if (this.#phase !== 'open') return;
    // After a write failed because of a reset, the system reports the reset to the reader as an end.
    if (this.#isWriteBroken) return void target.destroy();
    this.#isTargetEnded = true;
    if (!this.#isStatusSent) this.#stream.write(this.#withStatus(Buffer.alloc(0)));
    this.#stream.end();
  }

  #onTargetClose(): void {
    if (this.#phase !== 'open') return;
    if (this.#isTargetEnded && this.#isRelayEnded) return this.#finish();
    this.#breakAfterFinalData();
  }

  /** A reset drops what is queued, so the target's data is sent first. */
  #breakAfterFinalData(): void {
    this.#phase = 'broken';
    if (!this.#isWriteBroken) this.#awaitFinalData();
    // The queued end needs no reset after it: the relay has the whole answer and resets the stream itself.
    if (this.#isTargetEnded) return;
    // Data that a pause held back is still in the socket.
    for (let chunk = this.#readTarget(); chunk !== null; chunk = this.#readTarget()) {
      this.#writeToRelay(chunk);
    }
    this.#stream.resetWhenSent();
  }

  /** Ends the stream unless data still leaves. */
  #awaitFinalData(stalledMs = 0): void {
    const { queuedBytes } = this.#stream;
    this.#timer = setTimeout(() => {
      const left = this.#stream.queuedBytes;
      const stalled = left === queuedBytes ? stalledMs + FINAL_DATA_MS : 0;
      if (stalled >= (left === 0 ? FINAL_DATA_MS : FINAL_STALL_MS)) this.abort();
      else this.#awaitFinalData(stalled);
    }, FINAL_DATA_MS);
  }

  #readTarget(): Buffer | null {
    return this.#target?.read() ?? null;
  }

  #fail(status: OpenStatus): void {
    if (this.#phase !== 'dialing') return;
    this.#phase = 'failed';
    for (const chunk of this.#early.splice(0)) this.#stream.consumed(chunk.length);
    this.#stream.write(Buffer.of(openStatus[status]));
    this.#stream.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort(), LINGER_MS);
    if (this.#isRelayEnded) this.#finish();
  }

  #finish(): void {
    if (this.#phase === 'done') return;
    const wasClean = this.#isTargetEnded && this.#isRelayEnded;
    const hasAll = this.#phase === 'open' && this.#isRelayEnded && !this.#isWriteBroken;
    this.#phase = 'done';
    clearTimeout(this.#timer);
    this.#early = [];
    this.#dialing.abort(new TargetError('refused'));
    if (!wasClean && hasAll) this.#closeTarget();
    else if (!wasClean) this.#breakTarget();
    this.#deps.onDone();
  }

  /** The relay has sent all that it had before it left, so the LAN service sees an end like that of any client. */
  #closeTarget(): void {
    const target = this.#target;
    if (target === undefined || target.destroyed) return;
    const giveUp = setTimeout(() => this.#breakTarget(), LINGER_MS); // it may take nothing
    target.once('close', () => clearTimeout(giveUp));
    target.destroySoon();
  }

  /** A reset, not an end: the LAN service must not take half of an upload for all of it. */
  #breakTarget(): void {
    this.#tcp?.resetAndDestroy();
    this.#target?.destroy();
  }
}
