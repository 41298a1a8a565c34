import { checkTrailers, NO_PAYLOAD, NO_TRAILERS } from '../http/body-part.ts';
import { type Field, MAX_HEAD_BYTES, parseFields } from '../http/fields.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { BodyReader, ReadBodyPart } from './body-reader.ts';

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
const MAX_SIZE_DIGITS = 13;
/** Up to here a loop costs less than a call: chunks of one byte must not cost the relay more than their sender. */
const LOOP_BYTES = 64;
const MAX_EXTENSION_BYTES = 256;
const EXTENSIONS =
  /^(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))?)+$/;

type State = 'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'done';

/** Decodes the chunked coding of a body. */
export class ChunkedBody implements BodyReader {
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #text = '';
  #trailers = NO_TRAILERS;

  get isDone(): boolean {
    return this.#state === 'done';
  }

  take(chunk: Buffer, from: number): ReadBodyPart {
    const pieces: number[] = [];
    let at = from;
    while (at < chunk.length && this.#state !== 'done') {
      if (this.#state === 'data') {
        const end = Math.min(chunk.length, at + this.#size);
        pieces.push(at, end);
        this.#size -= end - at;
        at = end;
        if (this.#size === 0) this.#state = 'data-cr';
      } else {
        this.#step(chunk[at]!); // at is inside the chunk
        at++;
      }
    }
    const trailers = this.isDone ? this.#trailers : undefined;
    return new ChunkedPart(chunk, { from, end: at, pieces, trailers });
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'size':
        return this.#stepSize(byte);
      case 'extension':
        return this.#stepExtension(byte);
      case 'size-lf':
        expectByte(byte, LF);
        this.#state = this.#size === 0 ? 'trailer' : 'data';
        this.#digits = 0;
        return;
      case 'data-cr':
        expectByte(byte, CR);
        this.#state = 'data-lf';
        return;
      case 'data-lf':
        expectByte(byte, LF);
        this.#state = 'size';
        return;
      case 'trailer':
        return this.#stepTrailer(byte);
      case 'data':
      case 'done':
        throw new Error(`no single byte is read in state ${this.#state}`);
    }
  }

  #stepSize(byte: number): void {
    const digit = hexValue(byte);
    if (digit !== -1) {
      if (++this.#digits > MAX_SIZE_DIGITS) throw new HttpRefusal('chunk size too large');
      this.#size = this.#size * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw new HttpRefusal('chunk without a size');
    if (byte === CR) {
      this.#state = 'size-lf';
    } else if (byte === SEMICOLON) {
      this.#state = 'extension';
      this.#text = ';';
    } else {
      throw new HttpRefusal('malformed chunk size');
    }
  }

  #stepExtension(byte: number): void {
    if (byte === CR) {
      if (!EXTENSIONS.test(this.#text)) throw new HttpRefusal('malformed chunk extension');
      this.#state = 'size-lf';
      this.#text = '';
      return;
    }
    if (this.#text.length >= MAX_EXTENSION_BYTES) throw new HttpRefusal('chunk extension too long');
    this.#text += String.fromCharCode(byte);
  }

  #stepTrailer(byte: number): void {
    this.#text += String.fromCharCode(byte);
    if (this.#text.length > MAX_HEAD_BYTES) throw new HttpRefusal('trailers too long');
    if (byte !== LF) return;
    if (!this.#text.endsWith('\r\n')) throw new HttpRefusal('bare LF');
    if (this.#text !== '\r\n' && !this.#text.endsWith('\r\n\r\n')) return;
    const trailers = parseFields(this.#text.slice(0, -2), 0);
    checkTrailers(trailers);
    this.#trailers = trailers;
    this.#state = 'done';
  }
}

/** The payload is computed on demand: from HTTP/1 to HTTP/1 the chunks are forwarded unchanged. */
class ChunkedPart implements ReadBodyPart {
  readonly trailers: readonly Field[] | undefined;
  readonly end: number;
  readonly #read: Buffer;
  readonly #from: number;
  /** Begin and end of each piece of payload, alternately. */
  readonly #pieces: readonly number[];

  constructor(
    read: Buffer,
    { from, end, pieces, trailers }: Pick<ReadBodyPart, 'end' | 'trailers'> & { from: number; pieces: number[] },
  ) {
    this.#read = read;
    this.#from = from;
    this.end = end;
    this.#pieces = pieces;
    this.trailers = trailers;
  }

  get chunks(): Buffer {
    return this.#read.subarray(this.#from, this.end);
  }

  get payload(): Buffer {
    if (this.#pieces.length === 0) return NO_PAYLOAD;
    const [from, end] = this.#pieces;
    return this.#pieces.length === 2 ? this.#read.subarray(from, end) : this.#joined();
  }

  #joined(): Buffer {
    const joined = Buffer.allocUnsafe(this.end - this.#from);
    let length = 0;
    for (let at = 0; at < this.#pieces.length; at += 2) {
      const from = this.#pieces[at]!; // at is inside
      const end = this.#pieces[at + 1]!; // at + 1 too
      if (end - from > LOOP_BYTES) this.#read.copy(joined, length, from, end);
      else for (let byte = from; byte < end; byte++) joined[length + byte - from] = this.#read[byte]!; // inside the read
      length += end - from;
    }
    return joined.subarray(0, length);
  }
}

function expectByte(byte: number, expected: number): void {
  if (byte !== expected) throw new HttpRefusal('malformed chunk');
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
