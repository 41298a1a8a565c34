import { checkTrailers, mayBeTrailer, NO_PAYLOAD, NO_TRAILERS } from '../http/body-part.ts';
import { type Field, fieldLines, isBlank, MAX_HEAD_BYTES, parseFields } from '../http/fields.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { BodyReader, ReadBodyPart } from './body-reader.ts';
import { linesOf, repairFields } from './repair-response-head.ts';

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
const MAX_SIZE_DIGITS = 13;
/** Up to here a loop costs less than a call: chunks of one byte must not cost the relay more than their sender. */
const LOOP_BYTES = 64;
const MAX_EXTENSION_BYTES = 256;
const EXTENSIONS =
  /^(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))?)+$/;

type State = 'size' | 'size-blank' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'done';

/** Replaces the bytes of a read from `from` to `to`. */
type Edit = { from: number; to: number; text: string };

/** Decodes the chunked coding of a body. */
export class ChunkedBody implements BodyReader {
  /** Whether an improper body is read as browsers do, and its chunks are made proper. */
  readonly #repairs: boolean;
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #text = '';
  #trailers = NO_TRAILERS;
  #isRepaired = false;
  /** Of the present read. */
  #edits: Edit[] | undefined;
  /** Where bytes begin that are passed on in another form, or not at all. */
  #hiddenFrom: number | undefined;

  constructor({ repairs = false } = {}) {
    this.#repairs = repairs;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  get isRepaired(): boolean {
    return this.#isRepaired;
  }

  take(chunk: Buffer, from: number): ReadBodyPart {
    const pieces: number[] = [];
    let at = from;
    if (this.#hiddenFrom !== undefined) this.#hiddenFrom = from;
    while (at < chunk.length && this.#state !== 'done') {
      if (this.#state === 'data') {
        const end = Math.min(chunk.length, at + this.#size);
        pieces.push(at, end);
        this.#size -= end - at;
        at = end;
        if (this.#size === 0) this.#state = 'data-cr';
      } else {
        this.#step(chunk[at]!, at); // at is inside the chunk
        at++;
      }
    }
    if (this.#hiddenFrom !== undefined) this.#edit(this.#hiddenFrom, at, '');
    const edits = this.#edits;
    this.#edits = undefined;
    const trailers = this.isDone ? this.#trailers : undefined;
    return new ChunkedPart(chunk, { from, end: at, pieces, trailers, edits });
  }

  #step(byte: number, at: number): void {
    switch (this.#state) {
      case 'size':
        return this.#stepSize(byte, at);
      case 'size-blank':
        return this.#stepSizeBlank(byte, at);
      case 'extension':
        return this.#stepExtension(byte, at);
      case 'size-lf':
        expectByte(byte, LF);
        return this.#beginChunk(at);
      case 'data-cr':
        if (this.#endsLineBare(byte, at)) this.#state = 'size';
        else {
          expectByte(byte, CR);
          this.#state = 'data-lf';
        }
        return;
      case 'data-lf':
        expectByte(byte, LF);
        this.#state = 'size';
        return;
      case 'trailer':
        return this.#stepTrailer(byte, at);
      case 'data':
      case 'done':
        throw new Error(`no single byte is read in state ${this.#state}`);
    }
  }

  /** `lineEndAt`: of the LF behind its size. */
  #beginChunk(lineEndAt: number): void {
    this.#digits = 0;
    this.#state = this.#size === 0 ? 'trailer' : 'data';
    if (this.#state === 'trailer' && this.#repairs) this.#hiddenFrom = lineEndAt + 1;
  }

  #stepSize(byte: number, at: number): void {
    const digit = hexValue(byte);
    if (digit !== -1) {
      if (++this.#digits > MAX_SIZE_DIGITS) throw new HttpRefusal('chunk size too large');
      this.#size = this.#size * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw new HttpRefusal('chunk without a size');
    if (byte === CR) this.#state = 'size-lf';
    else if (byte === SEMICOLON) this.#beginExtension(at);
    else if (this.#endsLineBare(byte, at)) this.#beginChunk(at);
    else if (this.#repairs && isBlank(byte)) {
      this.#isRepaired = true;
      this.#hiddenFrom = at;
      this.#state = 'size-blank';
    } else throw new HttpRefusal('malformed chunk size');
  }

  /** Some services pad the size. */
  #stepSizeBlank(byte: number, at: number): void {
    if (isBlank(byte)) return;
    if (byte === SEMICOLON) return this.#beginExtension(this.#hiddenFrom ?? at);
    this.#endHidden(at);
    if (this.#endsLineBare(byte, at)) return this.#beginChunk(at);
    expectByte(byte, CR);
    this.#state = 'size-lf';
  }

  #beginExtension(from: number): void {
    this.#state = 'extension';
    this.#text = ';';
    if (this.#repairs) this.#hiddenFrom = from;
  }

  #stepExtension(byte: number, at: number): void {
    if (byte === CR || (byte === LF && this.#repairs)) {
      const isProper = EXTENSIONS.test(this.#text);
      if (!isProper && !this.#repairs) throw new HttpRefusal('malformed chunk extension');
      this.#isRepaired ||= !isProper;
      // RFC 9112 §7.1.1: a recipient ignores those that it does not know.
      this.#endHidden(at, isProper ? this.#text : '');
      this.#text = '';
      this.#state = 'size-lf';
      if (this.#endsLineBare(byte, at)) this.#beginChunk(at);
      return;
    }
    if (this.#text.length >= MAX_EXTENSION_BYTES) throw new HttpRefusal('chunk extension too long');
    this.#text += String.fromCharCode(byte);
  }

  #stepTrailer(byte: number, at: number): void {
    this.#text += String.fromCharCode(byte);
    if (this.#text.length > MAX_HEAD_BYTES) throw new HttpRefusal('trailers too long');
    if (byte !== LF) return;
    if (!this.#text.endsWith('\r\n') && !this.#repairs) throw new HttpRefusal('bare LF');
    if (!endsInEmptyLine(this.#text)) return;
    this.#readTrailers();
    this.#state = 'done';
    this.#endHidden(at + 1, `${fieldLines(this.#trailers)}\r\n`);
  }

  #readTrailers(): void {
    try {
      this.#trailers = parseFields(this.#text.slice(0, -2), 0);
      if (!this.#text.endsWith('\r\n')) throw new HttpRefusal('bare LF');
      checkTrailers(this.#trailers);
    } catch (error) {
      if (!this.#repairs || !(error instanceof HttpRefusal)) throw error;
      this.#isRepaired = true;
      this.#trailers = repairFields(linesOf(this.#text)).filter(mayBeTrailer);
    }
  }

  /** Whether the byte is an LF without CR that ends a line. */
  #endsLineBare(byte: number, at: number): boolean {
    if (byte !== LF || !this.#repairs) return false;
    this.#isRepaired = true;
    this.#edit(at, at, '\r');
    return true;
  }

  /** `text` takes the place of the hidden bytes, which are in #text if they are no blanks. */
  #endHidden(to: number, text = ''): void {
    if (this.#hiddenFrom === undefined) return;
    // The usual case: they are proper, and came in one piece.
    const isSame = text === this.#text && text.length === to - this.#hiddenFrom;
    if (!isSame) this.#edit(this.#hiddenFrom, to, text);
    this.#hiddenFrom = undefined;
  }

  #edit(from: number, to: number, text: string): void {
    this.#edits ??= [];
    this.#edits.push({ from, to, text });
  }
}

type PartPlace = Pick<ReadBodyPart, 'end' | 'trailers'> & {
  from: number;
  pieces: number[];
  edits: readonly Edit[] | undefined;
};

/** The payload is computed on demand: from HTTP/1 to HTTP/1 proper chunks are forwarded unchanged. */
class ChunkedPart implements ReadBodyPart {
  readonly trailers: readonly Field[] | undefined;
  readonly end: number;
  readonly #read: Buffer;
  readonly #from: number;
  /** Begin and end of each piece of payload, alternately. */
  readonly #pieces: readonly number[];
  readonly #edits: readonly Edit[] | undefined;

  constructor(read: Buffer, { from, end, pieces, trailers, edits }: PartPlace) {
    this.#read = read;
    this.#from = from;
    this.end = end;
    this.#pieces = pieces;
    this.trailers = trailers;
    this.#edits = edits;
  }

  get chunks(): Buffer {
    if (this.#edits !== undefined) return this.#edited(this.#edits);
    return this.#read.subarray(this.#from, this.end);
  }

  get payload(): Buffer {
    if (this.#pieces.length === 0) return NO_PAYLOAD;
    const [from, end] = this.#pieces;
    return this.#pieces.length === 2 ? this.#read.subarray(from, end) : this.#joined();
  }

  #edited(edits: readonly Edit[]): Buffer {
    const parts: Buffer[] = [];
    let at = this.#from;
    for (const { from, to, text } of edits) {
      parts.push(this.#read.subarray(at, from), Buffer.from(text, 'latin1'));
      at = to;
    }
    return Buffer.concat([...parts, this.#read.subarray(at, this.end)]);
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

function endsInEmptyLine(text: string): boolean {
  return text === '\r\n' || text === '\n' || text.endsWith('\n\r\n') || text.endsWith('\n\n');
}

function expectByte(byte: number, expected: number): void {
  if (byte !== expected) throw new HttpRefusal('malformed chunk');
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
