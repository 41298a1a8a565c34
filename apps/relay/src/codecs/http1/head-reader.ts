import { MAX_HEAD_BYTES } from '../http/fields.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { CookieHead } from '../http/planted-cookies.ts';
import { CookieNames } from './cookie-names.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = '\r\n';
const COOKIE_LINE = /\r\ncookie:[^\r]*/gi;
const HOST_LINE = /\r\nhost:[ \t]*([^\r]{1,300}?)[ \t]*\r/i;
const TARGET = /^(?:\r\n)?\S+ (\S{1,8000}) /;
const CR = 13;
const LF = 10;

/** `text` holds every line of the head with its CRLF, without the empty last one; `end` is where the next byte stands. */
export type HeadText = { text: string; end: number };

/** Collects bytes until a head is complete. Nothing is copied when a head arrives in one piece, the usual case. */
export class HeadReader {
  #held: Buffer | undefined;
  #heldBytes = 0;
  /** Of a head that is too long by its cookies. */
  #tooMany: { head: Omit<CookieHead, 'cookies'>; names: CookieNames } | undefined;

  /** True when some bytes of a head have come, but not all of them. */
  get hasBegun(): boolean {
    return this.#heldBytes > 0;
  }

  /** Reads bytes from `from` on; undefined while the head is incomplete. Throws HttpRefusal. */
  push(chunk: Buffer, from: number): HeadText | undefined {
    if (this.#tooMany !== undefined) return this.#readCookies(chunk.subarray(from));
    if (this.#heldBytes > 0) return this.#pushHeld(chunk, from);
    const end = chunk.indexOf(HEAD_END, from);
    if (end === -1) {
      this.#hold(chunk, from);
      return undefined;
    }
    if (end + HEAD_END.length - from > MAX_HEAD_BYTES) return this.#refuse(chunk.subarray(from));
    return { text: chunk.toString('latin1', from, end + 2), end: end + HEAD_END.length };
  }

  #pushHeld(chunk: Buffer, from: number): HeadText | undefined {
    const before = this.#heldBytes;
    this.#hold(chunk, from);
    if (this.#tooMany !== undefined) return undefined;
    const held = this.#held!.subarray(0, this.#heldBytes); // #hold has just filled it
    const end = held.indexOf(HEAD_END, Math.max(0, before - 3));
    if (end === -1) return undefined;
    if (end + HEAD_END.length > MAX_HEAD_BYTES) return this.#refuse(held);
    const text = held.toString('latin1', 0, end + 2);
    this.#held = undefined;
    this.#heldBytes = 0;
    return { text, end: from + end + HEAD_END.length - before };
  }

  #hold(chunk: Buffer, from: number): void {
    // One maximum length is enough to find the end of a head or to see that it is too long.
    const bytes = Math.min(chunk.length - from, MAX_HEAD_BYTES + HEAD_END.length - this.#heldBytes);
    const total = this.#heldBytes + bytes;
    this.#refuseHopeless(chunk, from, from + bytes);
    if (this.#held === undefined || this.#held.length < total) {
      const grown = Buffer.allocUnsafe(Math.max(total * 2, 512));
      this.#held?.copy(grown, 0, 0, this.#heldBytes);
      this.#held = grown;
    }
    chunk.copy(this.#held, this.#heldBytes, from, from + bytes);
    this.#heldBytes = total;
    const held = this.#held.subarray(0, total);
    if (total <= MAX_HEAD_BYTES || held.indexOf(HEAD_END) !== -1) return;
    this.#refuse(held);
    this.#readCookies(chunk.subarray(from + bytes));
  }

  /** Throws HttpRefusal, unless the head is too long by its cookies and goes on. */
  #refuse(head: Buffer): undefined {
    const refusal = tooLong(head);
    if (!isMostlyCookies(head.subarray(0, MAX_HEAD_BYTES)) || refusal.status !== 431) throw refusal;
    const text = head.toString('latin1');
    const hostField = HOST_LINE.exec(text)?.[1] ?? '';
    const target = TARGET.exec(text)?.[1] ?? '';
    this.#tooMany = { head: { hostField, target }, names: new CookieNames() };
    return this.#readCookies(head);
  }

  #readCookies(bytes: Buffer): undefined {
    if (this.#tooMany === undefined) return undefined;
    const { head, names } = this.#tooMany;
    if (!names.push(bytes.toString('latin1'))) return undefined;
    this.#tooMany = undefined;
    throw new HttpRefusal('head too long', 431, { cookies: { ...head, cookies: names.cookies } });
  }

  /** Refuses bytes that can never become a head at once, so that the sender does not wait for the timeout. */
  #refuseHopeless(chunk: Buffer, from: number, to: number): void {
    const first = this.#heldBytes > 0 ? this.#held![0] : chunk[from];
    if (first !== undefined && first !== CR && (first < 0x21 || first > 0x7e)) throw new HttpRefusal('not HTTP');
    let previous = this.#heldBytes > 0 ? this.#held![this.#heldBytes - 1] : undefined;
    const headEnd = this.#isEndedBy(chunk, from) ? from : chunk.indexOf(HEAD_END, from);
    // Bytes after the head are none of its lines.
    const stop = headEnd === -1 ? to : Math.min(to, headEnd);
    for (let at = from; at < stop; at++) {
      const byte = chunk[at];
      if (byte === LF && previous !== CR) throw new HttpRefusal('bare LF');
      previous = byte;
    }
  }

  /** Whether the end of the head began in the held bytes and the chunk completes it. */
  #isEndedBy(chunk: Buffer, from: number): boolean {
    for (let heldBytes = Math.min(HEAD_END.length - 1, this.#heldBytes); heldBytes > 0; heldBytes--) {
      const heldFrom = this.#heldBytes - heldBytes;
      const restBytes = HEAD_END.length - heldBytes;
      if (chunk.length - from < restBytes) continue;
      const isHeld = HEAD_END.compare(this.#held!, heldFrom, this.#heldBytes, 0, heldBytes) === 0; // bytes are held
      if (isHeld && HEAD_END.compare(chunk, from, from + restBytes, heldBytes) === 0) return true;
    }
    return false;
  }
}

/** Whether the request target alone is too long (RFC 9110 §15.5.15). An empty line may precede it. */
function tooLong(head: Buffer): HttpRefusal {
  const lineEnd = head.indexOf(LINE_END, LINE_END.length);
  const isLineTooLong = lineEnd === -1 || lineEnd > MAX_HEAD_BYTES;
  if (isLineTooLong) return new HttpRefusal('request line too long', 414);
  return new HttpRefusal('head too long', 431);
}

/** Whether the beginning of a head that is too long consists mostly of cookies. */
function isMostlyCookies(head: Buffer): boolean {
  let bytes = 0;
  for (const [line] of head.toString('latin1').matchAll(COOKIE_LINE)) bytes += line.length;
  return bytes > MAX_HEAD_BYTES / 2;
}
