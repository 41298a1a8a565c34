import type { BodyReader } from './body-reader.ts';
import { ChunkedBody } from './chunked-body.ts';
import type { BodyFraming } from '../http/framing.ts';

const emptyBody: BodyReader = { take: (_chunk, from) => from, isDone: true };
const endlessBody: BodyReader = { take: (chunk) => chunk.length, isDone: false };

class CountedBody implements BodyReader {
  #left: number;
  constructor(length: number) {
    this.#left = length;
  }
  get isDone(): boolean {
    return this.#left === 0;
  }
  take(chunk: Buffer, from: number): number {
    const bytes = Math.min(this.#left, chunk.length - from);
    this.#left -= bytes;
    return from + bytes;
  }
}

export function createBodyReader(framing: BodyFraming): BodyReader {
  switch (framing.type) {
    case 'none':
      return emptyBody;
    case 'length':
      return framing.length === 0 ? emptyBody : new CountedBody(framing.length);
    case 'chunked':
      return new ChunkedBody();
    case 'until-close':
      return endlessBody;
  }
}
