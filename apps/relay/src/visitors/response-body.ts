import type { BodyReader } from '../http1/body-reader.ts';
import { ChunkedBody } from '../http1/chunked-body.ts';
import { createBodyReader } from '../http1/create-body-reader.ts';
import type { BodyFraming } from '../http1/framing.ts';

const EMPTY = Buffer.alloc(0);

/** The body of an answer on its way to the visitor: as it comes, or without its chunks for one who does not know them. */
export class ResponseBody {
  readonly #reader: BodyReader;
  readonly #payload: Buffer[] | undefined;
  /** Where the body's bytes ended in the last chunk. */
  end = 0;

  constructor(framing: BodyFraming, { isUnchunked }: { isUnchunked: boolean }) {
    const payload: Buffer[] = [];
    this.#payload = isUnchunked ? payload : undefined;
    this.#reader = isUnchunked ? new ChunkedBody((bytes) => payload.push(bytes)) : createBodyReader(framing);
  }

  get isDone(): boolean {
    return this.#reader.isDone;
  }

  /** What of the chunk the visitor is to get. Throws HttpRefusal when the framing is broken. */
  take(chunk: Buffer, from: number): Buffer {
    this.end = this.#reader.take(chunk, from);
    if (this.#payload !== undefined) return Buffer.concat(this.#payload.splice(0));
    if (this.end === from) return EMPTY;
    return from === 0 && this.end === chunk.length ? chunk : chunk.subarray(from, this.end);
  }
}
