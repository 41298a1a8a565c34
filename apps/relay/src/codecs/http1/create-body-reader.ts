import { NO_PAYLOAD, NO_TRAILERS } from '../http/body-part.ts';
import type { BodyFraming } from '../http/framing.ts';
import type { BodyReader, ReadBodyPart } from './body-reader.ts';
import { ChunkedBody } from './chunked-body.ts';

const emptyBody: BodyReader = {
  take: (_chunk, from) => ({ payload: NO_PAYLOAD, trailers: NO_TRAILERS, end: from }),
  isDone: true,
  isRepaired: false,
};

const endlessBody: BodyReader = {
  take: (chunk, from) => ({ payload: payloadOf(chunk, from, chunk.length), trailers: undefined, end: chunk.length }),
  isDone: false,
  isRepaired: false,
};

class CountedBody implements BodyReader {
  readonly isRepaired = false;
  #left: number;
  constructor(length: number) {
    this.#left = length;
  }
  get isDone(): boolean {
    return this.#left === 0;
  }
  take(chunk: Buffer, from: number): ReadBodyPart {
    const end = from + Math.min(this.#left, chunk.length - from);
    this.#left -= end - from;
    return { payload: payloadOf(chunk, from, end), trailers: this.isDone ? NO_TRAILERS : undefined, end };
  }
}

function payloadOf(chunk: Buffer, from: number, end: number): Buffer {
  if (end === from) return NO_PAYLOAD;
  return from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end);
}

/** `repairs`: an improper body is read as browsers read it. Only for answers. */
export function createBodyReader(framing: BodyFraming, { repairs = false } = {}): BodyReader {
  switch (framing.type) {
    case 'none':
      return emptyBody;
    case 'length':
      return framing.length === 0 ? emptyBody : new CountedBody(framing.length);
    case 'chunked':
      return new ChunkedBody({ repairs });
    case 'until-close':
      return endlessBody;
  }
}
