import { connect as connectTcp, type Socket } from 'node:net';
import {
  decodeOpenRequest,
  type MuxStream,
  type MuxStreamEvents,
  type OpenRequest,
  openRequestLength,
  openStatus,
  type OpenStatus,
} from '@tongtu/tunnel';
import { UdpForward } from './udp-forward.ts';

/** The target answers before it has read everything, and then resets the connection. */
type Answer = { text: string };

export type ForwardOptions = {
  /**
   * Answers open requests with this status instead of dialling. Undefined: dials. `nonsense`: sends a byte that is not
   * a status. For Answer, see there.
   */
  onOpen?: (request: OpenRequest) => Exclude<OpenStatus, 'connected'> | 'silent' | 'nonsense' | Answer | undefined;
  /** Receives bytes on a used stream before the target does. `say` sends bytes as if from the target. */
  onRequest?: (chunk: Buffer, say: (text: string) => void) => void;
};

/** A stream of the relay, connected to one TCP connection. */
export class Forward implements MuxStreamEvents {
  readonly #stream: MuxStream;
  readonly #opened: OpenRequest[];
  readonly #options: ForwardOptions;
  #target: Socket | undefined;
  #pending = Buffer.alloc(0);
  #isAnswered = false;
  #unconsumedBytes = 0;
  #isAnswerNext = true;

  constructor(stream: MuxStream, opened: OpenRequest[], options: ForwardOptions) {
    this.#stream = stream;
    this.#opened = opened;
    this.#options = options;
  }

  onData(chunk: Buffer): void {
    if (this.#target === undefined) {
      this.#pending = Buffer.concat([this.#pending, chunk]);
      const length = openRequestLength(this.#pending);
      if (length !== undefined && this.#pending.length >= length) this.#open();
    } else {
      this.#options.onRequest?.(chunk, (text) => this.#stream.write(Buffer.from(text)));
      this.#isAnswerNext = true;
      if (this.#target.write(chunk)) this.#stream.consumed(chunk.length);
      else this.#unconsumedBytes += chunk.length;
    }
  }

  onEnd(): void {
    this.#target?.end();
  }

  onReset(): void {
    // After an end libuv refuses a reset, and the socket would stay open.
    if (this.#target?.writableEnded === true) this.#target.destroySoon();
    else this.#target?.resetAndDestroy();
  }

  onDrain(): void {
    this.#target?.resume();
  }

  #open(): void {
    const { request, rest } = decodeOpenRequest(this.#pending);
    this.#opened.push(request);
    this.#stream.consumed(this.#pending.length);
    const status = this.#options.onOpen?.(request);
    if (request.kind === 'udp' && status === undefined) {
      this.#stream.events = new UdpForward(this.#stream, request, rest);
      return;
    }
    const target = connectTcp({ host: request.host, port: request.port, allowHalfOpen: true, noDelay: true });
    this.#target = target;
    target.on('error', () => {});
    if (status !== undefined) {
      target.destroy();
      if (typeof status === 'object') this.#answerAndReset(status);
      else if (status === 'nonsense') this.#stream.write(Buffer.of(99));
      else if (status !== 'silent') this.#refuse(status);
      return;
    }
    target.write(rest);
    target.on('drain', () => {
      this.#stream.consumed(this.#unconsumedBytes);
      this.#unconsumedBytes = 0;
    });
    target.on('data', (chunk: Buffer) => {
      const bytes = this.#isAnswered ? chunk : Buffer.concat([Buffer.of(openStatus.connected), chunk]);
      this.#isAnswered = true;
      if (this.#isAnswerNext && this.#stream.queuedBytes === 0) {
        this.#isAnswerNext = false;
        this.#stream.sendEmptyUpdate();
      }
      if (this.#stream.isWritable && !this.#stream.write(bytes)) target.pause();
    });
    target.on('end', () => {
      if (!this.#isAnswered && this.#stream.isWritable) this.#stream.write(Buffer.of(openStatus.connected));
      this.#isAnswered = true;
      this.#stream.end();
    });
    target.on('error', () => (this.#isAnswered ? this.#stream.reset() : this.#refuse('refused')));
  }

  #answerAndReset({ text }: Answer): void {
    this.#stream.write(Buffer.concat([Buffer.of(openStatus.connected), Buffer.from(text)]));
    const resetWhenSent = () => {
      if (this.#stream.queuedBytes === 0) this.#stream.reset();
      else setImmediate(resetWhenSent);
    };
    resetWhenSent();
  }

  #refuse(status: OpenStatus): void {
    this.#isAnswered = true;
    if (!this.#stream.isWritable) return;
    this.#stream.write(Buffer.of(openStatus[status]));
    this.#stream.end();
  }
}
