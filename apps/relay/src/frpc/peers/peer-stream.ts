import { decodeOpenRequest, type MuxStream, type MuxStreamEvents, openRequestLength, openStatus } from '@tongtu/tunnel';
import type { OpenTarget, RefusedStatus, TargetEvents, TargetStream } from '../../upstream/target-stream.ts';

/** A stream of another relay process to a target of a frpc: bytes both ways, each side as fast as the other takes them. */
export class PeerStream implements MuxStreamEvents {
  readonly #stream: MuxStream;
  readonly #openTarget: OpenTarget;
  #target: TargetStream | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #isAnswered = false;
  /** Written to the target, which is full. */
  #heldBytes = 0;
  /** Written to the stream, which is full. */
  #owedBytes = 0;

  constructor(stream: MuxStream, openTarget: OpenTarget) {
    this.#stream = stream;
    this.#openTarget = openTarget;
  }

  onData(chunk: Buffer): void {
    if (this.#target !== undefined) return this.#toTarget(this.#target, chunk);
    this.#pending = Buffer.concat([this.#pending, chunk]);
    const length = openRequestLength(this.#pending);
    if (length === undefined || this.#pending.length < length) return;
    const { request, rest } = decodeOpenRequest(this.#pending);
    this.#stream.consumed(this.#pending.length - rest.length);
    this.#pending = Buffer.alloc(0);
    this.#open(() => this.#openTarget(request, this.#targetEvents));
    if (this.#target !== undefined && rest.length > 0) this.#toTarget(this.#target, rest);
  }

  onEnd(): void {
    if (this.#target === undefined) this.#stream.reset();
    else this.#target.end();
  }

  onReset(): void {
    this.#target?.reset();
  }

  onDrain(): void {
    const bytes = this.#owedBytes;
    this.#owedBytes = 0;
    if (bytes > 0) this.#target?.consumed(bytes);
  }

  readonly #targetEvents: TargetEvents = {
    onRefused: (status) => this.#refuse(status),
    onData: (chunk) => {
      if (this.#write(chunk)) this.#target?.consumed(chunk.length);
      else this.#owedBytes += chunk.length;
    },
    onEnd: () => {
      this.#write(Buffer.alloc(0));
      if (this.#stream.isWritable) this.#stream.end();
    },
    onReset: () => this.#stream.reset(),
    onDrain: () => {
      const bytes = this.#heldBytes;
      this.#heldBytes = 0;
      if (bytes > 0) this.#stream.consumed(bytes);
    },
  };

  #open(open: () => TargetStream): void {
    try {
      this.#target = open();
    } catch {
      this.#stream.reset(); // at a limit, or the connection of frpc is closing
    }
  }

  #toTarget(target: TargetStream, chunk: Buffer): void {
    if (target.write(chunk)) this.#stream.consumed(chunk.length);
    else this.#heldBytes += chunk.length;
  }

  /** The status byte precedes the first bytes. */
  #write(chunk: Buffer): boolean {
    const bytes = this.#isAnswered ? chunk : Buffer.concat([Buffer.of(openStatus.connected), chunk]);
    this.#isAnswered = true;
    return bytes.length === 0 || !this.#stream.isWritable || this.#stream.write(bytes);
  }

  #refuse(status: RefusedStatus): void {
    this.#isAnswered = true;
    if (!this.#stream.isWritable) return;
    this.#stream.write(Buffer.of(openStatus[status]));
    this.#stream.end();
  }
}
