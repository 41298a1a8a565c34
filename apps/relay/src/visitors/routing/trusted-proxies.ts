import { AddressSet, must, parseAddress, parseRange } from '@tongtu/base';
import type { Field } from '../../codecs/http/fields.ts';
import type { VisitorOrigin } from './visitor-origin.ts';

/** The operator's own proxies in front of the relay: only their X-Forwarded fields count. */
export class TrustedProxies {
  readonly #addresses: AddressSet;

  /** Addresses and CIDR ranges, already validated. */
  constructor(entries: readonly string[]) {
    const ranges = entries.map((entry) => parseRange(entry.replace(/%[^/]*/, ''))); // the interface does not count
    this.#addresses = new AddressSet(ranges.map((range) => must(range, 'a trusted proxy')));
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }

  /** The visitor of this request: the client of the connection, or the one that a trusted proxy names. */
  visitorOf(peer: VisitorOrigin, fields: readonly Field[]): VisitorOrigin {
    if (!this.has(peer.address)) return peer;
    const address = this.#namedAddress(fields);
    const proto = listOf(fields, 'x-forwarded-proto').at(-1)?.toLowerCase();
    const scheme = proto === 'http' || proto === 'https' ? proto : peer.scheme;
    return { ...peer, address: address ?? peer.address, scheme };
  }

  /**
   * Each proxy appends its client to X-Forwarded-For, so the list is read backwards: entries before the first address
   * that is no trusted proxy may be forged.
   */
  #namedAddress(fields: readonly Field[]): string | undefined {
    let named: string | undefined;
    for (const entry of listOf(fields, 'x-forwarded-for').toReversed()) {
      const address = addressOf(entry);
      if (address === undefined) return named;
      named = address;
      if (!this.has(address)) return named;
    }
    return named;
  }
}

function listOf(fields: readonly Field[], key: string): string[] {
  return fields
    .filter((field) => field.key === key)
    .flatMap((field) => field.value.split(','))
    .map((entry) => entry.trim());
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressOf(entry: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return parseAddress(bare)?.toString();
}
