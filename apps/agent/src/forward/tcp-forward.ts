import type { Socket } from 'node:net';
import { type MuxStream, type OpenRequest, type OpenStatus, openStatus } from '@tongtu/tunnel';
import { dialTcp, startTls } from './dial-target.ts';
import type { Forward, ForwardDeps } from './forward.ts';
import { outliveWriteErrors } from './outlive-write-errors.ts';
import { resolveTarget } from './resolve-target.ts';
import { openStatusOf, TargetError, targetErrorOf } from './target-error.ts';

/** For the target to answer. */
const OPEN_TIMEOUT_MS = 10_000;
/** How long a relay may take to end a stream that failed to open. */
const LINGER_MS = 10_000;
/** For what the target said before its connection broke to be read and to leave: an early answer to an upload, say. */
const LAST_WORDS_MS = 5000;

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
  /** What came before the target was there. */
  #early: Buffer[] = [];
  /** The TCP connection, and what speaks on it: itself, or TLS over it. */
  #tcp: Socket | undefined;
  #target: Socket | undefined;
  #isRelayEnded = false;
  #isTargetEnded = false;
  #isStatusSent = false;
  /** The target was written to after what it was last heard to say. */
  #isAnswerNext = false;
  /** The target takes nothing more; what it has said may still be read. */
  #isTargetDeaf = false;
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
        return; // no window back for what nobody will take
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
    const { kind, host, port } = this.#request;
    const { signal } = this.#dialing;
    try {
      if (!this.#deps.isAllowed(this.#request)) throw new TargetError('notAllowed');
      const addresses = await resolveTarget(host, this.#deps.resolver);
      this.#tcp = await dialTcp(addresses, port, signal);
      this.#target =
        kind === 'tcp' ? this.#tcp : await startTls(this.#tcp, host, { isVerified: kind === 'tls-verified', signal });
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
    outliveWriteErrors(target, () => this.#onTargetDeaf(target));
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
   * The first bytes after a write to the target are marked by an empty window update before them: what comes without one was
   * said before the target saw the relay's last request, and cannot answer it, whenever the relay gets it.
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

  /** The status rides with the first bytes of the target: a frame of its own would cost every new connection one more packet. */
  #withStatus(chunk: Buffer): Buffer {
    if (this.#isStatusSent) return chunk;
    this.#isStatusSent = true;
    return Buffer.concat([Buffer.of(openStatus.connected), chunk]);
  }

  #onTargetDeaf(target: Socket): void {
    if (this.#phase !== 'open' || this.#isTargetDeaf) return;
    this.#isTargetDeaf = true;
    this.#timer = setTimeout(() => this.abort(), LAST_WORDS_MS);
    if (this.#isTargetEnded) target.destroy();
  }

  #onTargetEnd(target: Socket): void {
    if (this.#phase !== 'open') return;
    // Once a write has met the reset, the system shows it to the reader as an end. Closing follows.
    if (this.#isTargetDeaf) return void target.destroy();
    this.#isTargetEnded = true;
    if (!this.#isStatusSent) this.#stream.write(this.#withStatus(Buffer.alloc(0)));
    this.#stream.end();
  }

  #onTargetClose(): void {
    if (this.#phase !== 'open') return;
    if (this.#isTargetEnded && this.#isRelayEnded) return this.#finish();
    this.#breakAfterLastWords();
  }

  /** A reset drops what is queued, so what the target has said leaves first. */
  #breakAfterLastWords(): void {
    this.#phase = 'broken';
    if (!this.#isTargetDeaf) this.#timer = setTimeout(() => this.abort(), LAST_WORDS_MS);
    // An end is queued too, and nothing tells when it has left: the relay has the whole answer and resets by itself.
    if (this.#isTargetEnded) return;
    // What was held back by a pause is still in the socket.
    for (let chunk = this.#readTarget(); chunk !== null; chunk = this.#readTarget()) {
      this.#writeToRelay(chunk);
    }
    this.#stream.resetWhenSent();
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
    this.#phase = 'done';
    clearTimeout(this.#timer);
    this.#early = [];
    this.#dialing.abort(new TargetError('refused'));
    if (!wasClean) this.#breakTarget();
    this.#deps.onDone();
  }

  /** A reset, not an end: the LAN service must not take half of an upload for all of it. */
  #breakTarget(): void {
    this.#tcp?.resetAndDestroy();
    this.#target?.destroy();
  }
}
