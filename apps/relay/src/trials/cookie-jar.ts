import { MAX_TRIAL_COOKIES, type TrialAnswer } from '@tongtu/contract';
import type { Field } from '../codecs/http/fields.ts';

const MAX_COOKIE_LENGTH = 1_024;
const COOKIE =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")\s*(?:;|$)/;

/** What the owner may know of the cookies that an answer sets. */
export function namedCookies(fields: readonly Field[]): TrialAnswer['cookies'] {
  const cookies = fields.flatMap(({ key, value }) => {
    const name = key === 'set-cookie' && value.length <= MAX_COOKIE_LENGTH ? COOKIE.exec(value)?.[1] : undefined;
    return name === undefined ? [] : [{ name, isSecure: /;\s*secure\s*(?:;|$)/i.test(value) }];
  });
  return cookies.slice(0, MAX_TRIAL_COOKIES);
}

/** The cookies of one trial visit: some services lead in a circle without theirs. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  store(fields: readonly Field[]): void {
    for (const { key, value } of fields) {
      const cookie = key === 'set-cookie' && value.length <= MAX_COOKIE_LENGTH ? COOKIE.exec(value) : null;
      if (cookie === null || this.#cookies.size === MAX_TRIAL_COOKIES) continue;
      this.#cookies.set(cookie[1] ?? '', cookie[2] ?? '');
    }
  }

  /** The field with its CRLF, or nothing. */
  get line(): string {
    const pairs = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? '' : `Cookie: ${pairs.join('; ')}\r\n`;
  }
}
