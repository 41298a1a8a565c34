import { type FrameType, HEADER_BYTES, writeHeader } from './frame.ts';

/** Copying a payload of at most this size costs less than one more buffer in the write. */
const COPY_BYTES = 4096;
const FIRST_RUN_BYTES = 1024;
const MAX_RUN_BYTES = 16 * 1024;

/** The frames of one write. Headers and small payloads share buffers; large payloads are not copied. */
export class OutputBatch {
  readonly #buffers: Buffer[] = [];
  #run: Buffer | undefined;
  #runStart = 0;
  #runEnd = 0;
  #runBytes = FIRST_RUN_BYTES;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  addHeader(type: FrameType, flags: number, streamId: number, length: number): void {
    const run = this.#reserve(HEADER_BYTES);
    writeHeader(run, this.#runEnd, type, flags, streamId, length);
    this.#runEnd += HEADER_BYTES;
  }

  addPayload(chunk: Buffer): void {
    if (chunk.length > COPY_BYTES) {
      this.#cut();
      this.#buffers.push(chunk);
      this.#bytes += chunk.length;
      return;
    }
    const run = this.#reserve(chunk.length);
    chunk.copy(run, this.#runEnd);
    this.#runEnd += chunk.length;
  }

  /** Returns the buffers in order. The batch must not be used afterwards. */
  finish(): Buffer[] {
    this.#cut();
    return this.#buffers;
  }

  /** Makes room in the shared buffer and counts the bytes that the caller is about to put there. */
  #reserve(bytes: number): Buffer {
    this.#bytes += bytes;
    if (this.#run !== undefined && this.#runEnd + bytes <= this.#run.length) return this.#run;
    this.#cut();
    this.#run = Buffer.allocUnsafe(Math.max(bytes, this.#runBytes));
    this.#runBytes = Math.min(this.#runBytes * 2, MAX_RUN_BYTES);
    this.#runStart = 0;
    this.#runEnd = 0;
    return this.#run;
  }

  #cut(): void {
    if (this.#run === undefined || this.#runEnd === this.#runStart) return;
    this.#buffers.push(this.#run.subarray(this.#runStart, this.#runEnd));
    this.#runStart = this.#runEnd;
  }
}
