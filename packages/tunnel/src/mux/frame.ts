/**
 * The yamux frame header, apart from sockets: version u8 · type u8 · flags u16 · stream u32 · length u32, big-endian.
 * https://github.com/hashicorp/yamux/blob/master/spec.md
 */
import { ProtocolError } from '../errors.ts';

export const HEADER_BYTES = 12;
export const MAX_STREAM_ID = 0xffff_ffff;

export const frameType = { data: 0, windowUpdate: 1, ping: 2, goAway: 3 } as const;
export type FrameType = (typeof frameType)[keyof typeof frameType];

/** `syn` and `ack` open a stream (or mark a ping and its reply), `fin` ends one direction, `rst` ends both. */
export const flag = { syn: 1, ack: 2, fin: 4, rst: 8 } as const;

export const goAwayCode = { normal: 0, protocolError: 1, internalError: 2 } as const;

const ALL_FLAGS = 15;

/** Writes a header into `target` at `offset`. */
export function writeHeader(
  target: Buffer,
  offset: number,
  type: FrameType,
  flags: number,
  streamId: number,
  length: number,
): void {
  target[offset] = 0;
  target[offset + 1] = type;
  target[offset + 2] = 0; // all flags are in the lower byte
  target[offset + 3] = flags;
  target[offset + 4] = streamId >>> 24;
  target[offset + 5] = streamId >>> 16;
  target[offset + 6] = streamId >>> 8;
  target[offset + 7] = streamId;
  target[offset + 8] = length >>> 24;
  target[offset + 9] = length >>> 16;
  target[offset + 10] = length >>> 8;
  target[offset + 11] = length;
}

/** Receives the output of a decoder. A data frame is `onFrame`, `onPayload` for each slice, then `onPayloadEnd`. */
export type FrameSink = {
  onFrame(type: FrameType, flags: number, streamId: number, length: number): void;
  onPayload(slice: Buffer): void;
  onPayloadEnd(): void;
};

/**
 * Decodes bytes, cut anywhere, into frames. Payloads are slices of the input, so nothing is copied and at most 11 bytes
 * are kept between two calls. The sink must not call it again.
 */
export class FrameDecoder {
  readonly #sink: FrameSink;
  readonly #head = Buffer.alloc(HEADER_BYTES);
  #headBytes = 0;
  #payloadLeft = 0;
  #isStopped = false;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Throws ProtocolError for an invalid header, and the errors of the sink. Do not push again after an error. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#isStopped) {
      if (this.#payloadLeft > 0) at = this.#readPayload(chunk, at);
      else if (this.#headBytes === 0 && chunk.length - at >= HEADER_BYTES) {
        this.#readHeader(chunk, at);
        at += HEADER_BYTES;
      } else at = this.#gatherHeader(chunk, at);
    }
  }

  /** Ignores all further bytes, including the rest of the current chunk. */
  stop(): void {
    this.#isStopped = true;
  }

  #readPayload(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + this.#payloadLeft);
    this.#payloadLeft -= end - start;
    this.#sink.onPayload(end - start === chunk.length ? chunk : chunk.subarray(start, end));
    if (this.#payloadLeft === 0 && !this.#isStopped) this.#sink.onPayloadEnd();
    return end;
  }

  #gatherHeader(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + HEADER_BYTES - this.#headBytes);
    chunk.copy(this.#head, this.#headBytes, start, end);
    this.#headBytes += end - start;
    if (this.#headBytes === HEADER_BYTES) {
      this.#headBytes = 0;
      this.#readHeader(this.#head, 0);
    }
    return end;
  }

  #readHeader(bytes: Buffer, at: number): void {
    if (bytes[at] !== 0) throw new ProtocolError(`frame version ${bytes[at]}`);
    const type = bytes[at + 1] as FrameType; // checked on the next line
    if (type > frameType.goAway) throw new ProtocolError(`frame type ${type}`);
    const flags = bytes.readUInt16BE(at + 2);
    if (flags > ALL_FLAGS) throw new ProtocolError(`frame flags ${flags}`);
    const length = bytes.readUInt32BE(at + 8);
    if (type === frameType.data) this.#payloadLeft = length;
    this.#sink.onFrame(type, flags, bytes.readUInt32BE(at + 4), length);
    if (type === frameType.data && length === 0 && !this.#isStopped) this.#sink.onPayloadEnd();
  }
}
