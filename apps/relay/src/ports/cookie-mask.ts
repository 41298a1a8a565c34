import { consoleCookies } from '@tongtu/contract';
import { visitorCookieNames } from '../access/visitor-cookie.ts';
import { parseHostField } from '@tongtu/base';

/** As far as it came. A page may ask by any method that is a token, so `fetch` of a tenant's page may use `x-y`. */
const REQUEST_LINE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?: ?$| [/*h])/;
const HOST_LINE = /\r\nhost:[ \t]*([^\r]{1,300}?)[ \t]*\r/i;
const COOKIE_LINE = /\r\ncookie:/gi;
const COOKIE_LINE_LENGTH = '\r\ncookie:'.length;
const TAIL_LENGTH = COOKIE_LINE_LENGTH - 1;
/** Longer than the names that are looked for. */
const MAX_NAME_LENGTH = 64;
/** Shorter than the shortest of them with a value. */
const MIN_PAIR_LENGTH = 8;
const MASK = 'x'.charCodeAt(0);
const EQUALS = '='.charCodeAt(0);
const SEMICOLON = ';'.charCodeAt(0);
const RETURN = '\r'.charCodeAt(0);

/** The pair of a Cookie line that is being read, as far as it came. */
type Pair = { name: string; isNameRead: boolean; valueLength: number };

const noPair: Pair = { name: '', isNameRead: false, valueLength: 0 };

/**
 * Masks our own cookies in plain HTTP requests that go to a TCP mapping. Browsers send the cookies of a host to all of its
 * ports, so the console's and those of visitors would reach the owner of a mapping there. A value is overwritten by as many
 * `x`, so the stream stays the same in every other way; bytes are never held back. Other protocols pass untouched.
 */
export class CookieMask {
  readonly #isConsoleHost: (host: string) => boolean;
  /** The names to mask, with the least length of their values. Undefined before the first bytes. */
  #masked: ReadonlyMap<string, number> | undefined;
  #isInCookies = false;
  #pair = noPair;
  /** The last characters outside a Cookie line: the next one may begin in them. */
  #tail = '';

  constructor(isConsoleHost: (host: string) => boolean) {
    this.#isConsoleHost = isConsoleHost;
  }

  /** Changes bytes that a visitor has sent, in place. */
  apply(chunk: Buffer): void {
    const isFirst = this.#masked === undefined;
    if (this.#masked?.size === 0 || chunk.length === 0) return;
    const text = chunk.toString('latin1');
    const masked = (this.#masked ??= this.#namesFor(text));
    if (masked.size === 0) return;
    let at = isFirst ? 1 : 0;
    while (at < text.length) at = this.#isInCookies ? this.#readPair(chunk, { at, masked }) : this.#seek(text, at);
  }

  /** Of a host that is no console: what an app there calls `sessionid` is its own. */
  #namesFor(text: string): ReadonlyMap<string, number> {
    if (!REQUEST_LINE.test(text)) return new Map();
    const host = parseHostField(HOST_LINE.exec(text)?.[1] ?? '')?.host;
    const ofConsole = host === undefined || this.#isConsoleHost(host) ? Object.entries(consoleCookies) : [];
    return new Map([...ofConsole, ...visitorCookieNames.map((name) => [name, 1] as const)]);
  }

  #seek(text: string, at: number): number {
    const end = this.#endOfCookieLine(text, at);
    if (end === undefined) {
      this.#tail = (this.#tail + text.slice(Math.max(at, text.length - TAIL_LENGTH))).slice(-TAIL_LENGTH);
      return text.length;
    }
    this.#tail = '';
    this.#isInCookies = true;
    this.#pair = noPair;
    return end;
  }

  /** Where the name of the next Cookie field ends. No byte is looked at again for each field, or a visitor could make many. */
  #endOfCookieLine(text: string, at: number): number | undefined {
    const joined = this.#tail + text.slice(at, at + TAIL_LENGTH);
    const before = joined.search(COOKIE_LINE);
    if (before !== -1) return at + before + COOKIE_LINE_LENGTH - this.#tail.length;
    COOKIE_LINE.lastIndex = at;
    const found = COOKIE_LINE.exec(text);
    return found === null ? undefined : found.index + COOKIE_LINE_LENGTH;
  }

  #readPair(chunk: Buffer, { at, masked }: { at: number; masked: ReadonlyMap<string, number> }): number {
    const stop = endOfPair(chunk, at);
    const isEnded = stop < chunk.length;
    // Most of what a visitor could send endlessly; nothing so short is ours.
    if (isEnded && this.#pair === noPair && stop - at < MIN_PAIR_LENGTH) return this.#endPair(chunk, stop);
    let valueAt = at;
    if (!this.#pair.isNameRead) {
      let nameEnd = at;
      while (nameEnd < stop && chunk[nameEnd] !== EQUALS) nameEnd++;
      const isNameRead = nameEnd < stop;
      valueAt = isNameRead ? nameEnd + 1 : stop;
      const name = (this.#pair.name + chunk.toString('latin1', at, nameEnd)).trimStart().slice(0, MAX_NAME_LENGTH);
      this.#pair = { name, isNameRead, valueLength: 0 };
    }
    const valueLength = this.#pair.valueLength + stop - valueAt;
    const least = masked.get(this.#pair.name.trimEnd());
    // A value that goes on in the next bytes cannot be measured yet.
    if (this.#pair.isNameRead && least !== undefined && (!isEnded || valueLength >= least))
      chunk.fill(MASK, valueAt, stop);
    if (isEnded) return this.#endPair(chunk, stop);
    this.#pair = { ...this.#pair, valueLength };
    return stop;
  }

  #endPair(chunk: Buffer, stop: number): number {
    this.#pair = noPair;
    this.#isInCookies = chunk[stop] === SEMICOLON;
    return this.#isInCookies ? stop + 1 : stop;
  }
}

/** Where the pair ends: at a semicolon, at the end of the line, or later than these bytes. */
function endOfPair(chunk: Buffer, at: number): number {
  let end = at;
  while (end < chunk.length && chunk[end] !== SEMICOLON && chunk[end] !== RETURN) end++;
  return end;
}
