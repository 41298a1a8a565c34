import { type Field, MAX_HEAD_BYTES, parseFields } from '../http/fields.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { isProxyClaim } from '../http/proxy-claims.ts';
import type { BodyReader } from './body-reader.ts';

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
const MAX_SIZE_DIGITS = 13;
const MAX_EXTENSION_BYTES = 256;
const EXTENSIONS =
  /^(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))?)+$/;

/** Fields that decide about framing, routing or identity mean nothing after a body, but some services would believe them. */
const NEVER_TRAILERS =
  /^(?:content-length|transfer-encoding|host|connection|upgrade|te|trailer|cookie|set-cookie|authorization|expect)$/;

const NO_FIELDS: readonly Field[] = [];

type State = 'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'done';

/** Follows a chunked body without copying it. `onPayload`, when given, hears where the payload bytes stand. */
export class ChunkedBody implements BodyReader {
  readonly #onPayload: ((bytes: Buffer) => void) | undefined;
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #text = '';
  #trailers: readonly Field[] = NO_FIELDS;

  constructor(onPayload?: (bytes: Buffer) => void) {
    this.#onPayload = onPayload;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Empty until the body is done. */
  get trailers(): readonly Field[] {
    return this.#trailers;
  }

  take(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && this.#state !== 'done') {
      if (this.#state === 'data') {
        const end = Math.min(chunk.length, at + this.#size);
        this.#onPayload?.(chunk.subarray(at, end));
        this.#size -= end - at;
        at = end;
        if (this.#size === 0) this.#state = 'data-cr';
      } else {
        this.#step(chunk[at]!); // at is inside the chunk
        at++;
      }
    }
    return at;
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
    for (const { key } of trailers) {
      const plainKey = key.replaceAll('_', '-');
      if (NEVER_TRAILERS.test(plainKey) || isProxyClaim(plainKey)) throw new HttpRefusal(`${key} as a trailer`);
    }
    this.#trailers = trailers;
    this.#state = 'done';
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
