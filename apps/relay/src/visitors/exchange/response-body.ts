import type { BodyReader } from '../../codecs/http1/body-reader.ts';
import { ChunkedBody } from '../../codecs/http1/chunked-body.ts';
import { createBodyReader } from '../../codecs/http1/create-body-reader.ts';
import type { Field } from '../../codecs/http/fields.ts';
import type { BodyFraming } from '../../codecs/http/framing.ts';

const EMPTY = Buffer.alloc(0);
const NO_TRAILERS: readonly Field[] = [];

/** The body of an answer on its way to the visitor: as it comes, or without its chunks for one who does not know them. */
export class ResponseBody {
  readonly #reader: BodyReader;
  readonly #unchunked: { reader: ChunkedBody; payload: Buffer[] } | undefined;
  /** Where the body's bytes ended in the last chunk. */
  end = 0;

  constructor(framing: BodyFraming, { isUnchunked }: { isUnchunked: boolean }) {
    if (isUnchunked) {
      const payload: Buffer[] = [];
      const reader = new ChunkedBody((bytes) => payload.push(bytes));
      this.#reader = reader;
      this.#unchunked = { reader, payload };
    } else {
      this.#reader = createBodyReader(framing);
    }
  }

  get isDone(): boolean {
    return this.#reader.isDone;
  }

  /** What followed a body whose chunks were taken off; otherwise it is among the bytes. */
  get trailers(): readonly Field[] {
    return this.#unchunked?.reader.trailers ?? NO_TRAILERS;
  }

  /** What of the chunk the visitor is to get. Throws HttpRefusal when the framing is broken. */
  take(chunk: Buffer, from: number): Buffer {
    this.end = this.#reader.take(chunk, from);
    if (this.#unchunked !== undefined) return joined(this.#unchunked.payload.splice(0));
    if (this.end === from) return EMPTY;
    return from === 0 && this.end === chunk.length ? chunk : chunk.subarray(from, this.end);
  }
}

function joined(parts: Buffer[]): Buffer {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts); // there is one
}
