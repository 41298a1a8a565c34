import { isIP } from 'node:net';
import { inTurn } from '../forward/dial-tcp.ts';
import { type Resolver, systemResolver } from '../forward/resolve-target.ts';

/** Addresses that are tried for one name. */
const MAX_ADDRESSES = 8;

/**
 * The addresses of a relay. They are kept from one connection to the next, because a name cannot be resolved while the
 * line is cut, and a resolver may need seconds to notice that the line is back.
 */
export class RelayHost {
  readonly #name: string;
  readonly #resolver: Resolver;
  #addresses: readonly string[];
  #lookup: Promise<void> | undefined;

  constructor(name: string, resolver: Resolver = systemResolver) {
    this.#name = name;
    this.#resolver = resolver;
    this.#addresses = isIP(name) === 0 ? [] : [name];
  }

  /** The one that answered last comes first. Empty until the name was resolved. */
  get addresses(): readonly string[] {
    return this.#addresses;
  }

  /** Resolves the name anew, once at a time: lookups wait long without a network, and few of them run together. */
  refresh(): Promise<void> {
    if (isIP(this.#name) !== 0) return Promise.resolve();
    this.#lookup ??= this.#resolve().finally(() => (this.#lookup = undefined));
    return this.#lookup;
  }

  onAnswered(address: string): void {
    if (!this.#addresses.includes(address)) return;
    this.#addresses = [address, ...this.#addresses.filter((other) => other !== address)];
  }

  async #resolve(): Promise<void> {
    const found = inTurn(await this.#resolver(this.#name)).slice(0, MAX_ADDRESSES);
    const [last] = this.#addresses;
    if (found.length > 0) this.#addresses = found;
    if (last !== undefined) this.onAnswered(last);
  }
}
