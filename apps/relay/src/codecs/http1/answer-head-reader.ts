import { NO_PAYLOAD } from '../http/body-part.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { HeadText } from './head-reader.ts';

/** Browsers read four times as much, the HTTP/2 library of most other clients no more than this. */
export const MAX_ANSWER_HEAD_BYTES = 64 * 1024;
const CR = 13;
const LF = 10;
const HEAD_END = Buffer.from('\r\n\r\n');
/** Some devices end the previous answer with a line too many. Browsers skip so many bytes. */
const MAX_BYTES_BEFORE = 4;
const FIRST_WORDS = ['HTTP', 'ICY '];

/**
 * Collects the bytes of an answer's head, whose lines may end in LF alone. What is not proper stays in the text, also empty
 * lines in front and an empty last line without CR: `parseResponseHead` must see that the head needs repair.
 */
export class AnswerHeadReader {
  #held = NO_PAYLOAD;
  #heldBytes = 0;

  /** True when some bytes of a head have come, but not all of them. */
  get hasBegun(): boolean {
    return this.#heldBytes > 0;
  }

  /** Reads bytes from `from` on; undefined while the head is incomplete. Throws HttpRefusal. */
  push(chunk: Buffer, from: number): HeadText | undefined {
    if (this.#heldBytes === 0) {
      const head = readProper(chunk, from);
      if (head !== undefined) return head;
    }
    const before = this.#heldBytes;
    this.#hold(chunk, from);
    const held = this.#held.subarray(0, this.#heldBytes);
    const end = findEnd(held, Math.max(beginOf(held), before - 2));
    if (end === undefined) {
      if (this.#heldBytes === MAX_ANSWER_HEAD_BYTES) throw new HttpRefusal('head too long', 431);
      return undefined;
    }
    this.#heldBytes = 0;
    this.#held = NO_PAYLOAD;
    return { text: held.toString('latin1', 0, end.text), end: from + end.head - before };
  }

  #hold(chunk: Buffer, from: number): void {
    const bytes = Math.min(chunk.length - from, MAX_ANSWER_HEAD_BYTES - this.#heldBytes);
    const total = this.#heldBytes + bytes;
    if (this.#held.length < total) {
      const grown = Buffer.allocUnsafe(Math.min(Math.max(total * 2, 512), MAX_ANSWER_HEAD_BYTES));
      this.#held.copy(grown, 0, 0, this.#heldBytes);
      this.#held = grown;
    }
    chunk.copy(this.#held, this.#heldBytes, from, from + bytes);
    this.#heldBytes = total;
  }
}

/** A head in one piece whose lines end in CRLF, the usual case; undefined: it may still be another head. */
function readProper(chunk: Buffer, from: number): HeadText | undefined {
  const end = chunk.indexOf(HEAD_END, from);
  if (end <= from || end + HEAD_END.length - from > MAX_ANSWER_HEAD_BYTES) return undefined;
  const text = chunk.toString('latin1', from, end + 2);
  // Otherwise an empty line may precede the one that was found.
  const isProper = text.startsWith('HTTP') && !text.includes('\n\n') && !text.includes('\n\r\n');
  return isProper ? { text, end: end + HEAD_END.length } : undefined;
}

/** Where the status line begins. Throws HttpRefusal for bytes that can never become a head, so that nobody waits for more. */
function beginOf(bytes: Buffer): number {
  let begin = 0;
  while (bytes[begin] === CR || bytes[begin] === LF) begin++;
  const word = bytes.toString('latin1', begin, begin + 4).toUpperCase();
  if (begin > MAX_BYTES_BEFORE || !FIRST_WORDS.some((first) => first.startsWith(word)))
    throw new HttpRefusal('not HTTP');
  return begin;
}

/** The first empty line at or after `from`: where the text ends, and where the next byte stands. */
function findEnd(bytes: Buffer, from: number): { text: number; head: number } | undefined {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return { text: at + 2, head: at + 2 };
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return { text: at + 1, head: at + 3 };
  }
  return undefined;
}
