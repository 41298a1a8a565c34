import { ConnectionLimit } from '../net/connection-limit.ts';
import { TryLimit } from './try-limit.ts';

/** Pages ask again for each address, some after 5 s, and people of one network share the numbers. */
const PER_MINUTE = 1_200;
const AT_ONCE = 128;

/** How many preflights of one network reach services that are not public: nobody has proven who asks. */
export class PreflightLimit {
  readonly #asking = new ConnectionLimit({ perAddress: AT_ONCE, total: Infinity });
  readonly #asked: TryLimit;

  constructor(monotonicMs: () => number) {
    this.#asked = new TryLimit(monotonicMs, { perMinute: PER_MINUTE });
  }

  /** A function that says that the service has answered; undefined: it must not be asked. */
  enter(mappingId: number, address: string): (() => void) | undefined {
    if (this.#asked.isExhausted(mappingId, address)) return undefined;
    const leave = this.#asking.enter(address);
    if (leave !== undefined) this.#asked.note(mappingId, address);
    return leave;
  }
}
