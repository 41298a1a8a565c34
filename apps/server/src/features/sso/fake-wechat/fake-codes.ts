import { randomBytes } from 'node:crypto';
import type { FakePerson } from './fake-people.ts';

export type FakeErrcode = -1 | 40001 | 40002 | 40003 | 40013 | 40029 | 40125 | 40163 | 41008 | 42003;

type Grant = { person: FakePerson; issuedAtMs: number; wasUsed: boolean };
type Limits = { maxAgeMs: number };

const CODE: Limits = { maxAgeMs: 5 * 60_000 };
const MAX_KEPT = 1_000;

/** The codes and access tokens that the fake WeChat has issued. A code can be used once, within five minutes. */
export class FakeCodes {
  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, FakePerson>();
  readonly #wallClockMs: () => number;

  constructor(wallClockMs: () => number) {
    this.#wallClockMs = wallClockMs;
  }

  issueCode(person: FakePerson): string {
    const code = randomBytes(16).toString('hex');
    keep(this.#codes, code, { person, issuedAtMs: this.#wallClockMs(), wasUsed: false });
    return code;
  }

  /** Exchanges the code for an access token and its person, or returns WeChat's error number. */
  useCode(code: string): { token: string; person: FakePerson } | { errcode: FakeErrcode } {
    const grant = this.#codes.get(code);
    if (!grant) return { errcode: 40029 };
    if (grant.wasUsed) return { errcode: 40163 };
    if (this.#wallClockMs() - grant.issuedAtMs > CODE.maxAgeMs) return { errcode: 42003 };
    grant.wasUsed = true;
    const token = randomBytes(32).toString('base64url');
    keep(this.#tokens, token, grant.person);
    return { token, person: grant.person };
  }

  findPerson(token: string): FakePerson | undefined {
    return this.#tokens.get(token);
  }

  /** Revokes every token, as WeChat does when the operator resets the app's secret. */
  revokeTokens(): void {
    this.#tokens.clear();
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = map.keys();
  if (map.size >= MAX_KEPT && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
