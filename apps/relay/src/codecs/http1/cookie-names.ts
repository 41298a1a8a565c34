import { readCookie, type SentCookie } from '../http/planted-cookies.ts';

/** More than any browser sends: 180 cookies of 4 KB. */
const MAX_BYTES = 1024 * 1024;
/** A cookie's name and value together. */
const MAX_PAIR_BYTES = 8 * 1024;
const COOKIE = 'cookie:';

/**
 * Reads on in a head that is too long, keeping only the names of its cookies: the browser must send all of it before it
 * reads the answer, and the answer asks it to forget them.
 */
export class CookieNames {
  readonly cookies: SentCookie[] = [];
  #line = '';
  #bytes = 0;
  /** An empty line may precede the head. */
  #hasBegun = false;

  /** True once the head has ended, or is longer than the one of any browser. */
  push(text: string): boolean {
    this.#bytes += text.length;
    const lines = (this.#line + text).split('\r\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '' && this.#hasBegun) return true;
      this.#hasBegun ||= line !== '';
      this.#readPairs(line);
    }
    this.#line = this.#shorten(rest);
    return this.#bytes > MAX_BYTES;
  }

  /** What the next bytes must be read with. */
  #shorten(rest: string): string {
    if (rest.length <= COOKIE.length) return rest;
    if (!isCookieLine(rest)) return `x${rest.endsWith('\r') ? '\r' : ''}`;
    const end = rest.lastIndexOf(';');
    if (end !== -1) this.#readPairs(rest.slice(0, end));
    const unread = end === -1 ? rest.slice(COOKIE.length) : rest.slice(end + 1);
    return COOKIE + (unread.length > MAX_PAIR_BYTES ? unread.slice(-1) : unread);
  }

  #readPairs(line: string): void {
    if (!isCookieLine(line)) return;
    for (const pair of line.slice(COOKIE.length).split(';')) {
      const cookie = readCookie(pair);
      if (cookie !== undefined) this.cookies.push(cookie);
    }
  }
}

function isCookieLine(line: string): boolean {
  return line.slice(0, COOKIE.length).toLowerCase() === COOKIE;
}
