import { networkOf } from '@tongtu/base';
import { MAX_REPORTED_SOURCES, type UsageEntry } from '@tongtu/contract';
import type { UsageVisitor } from './mapping-meter.ts';

type Sources = Pick<UsageEntry, 'visitors' | 'networks' | 'isTruncated'>;

/** Counts the requests of each visitor and each address. A request costs two look-ups in maps; the rest is done for a report. */
export class SourceCounts {
  readonly #visitors = new Map<number, number>();
  readonly #addresses = new Map<string, number>();
  #isTruncated = false;

  count({ address, knownProof }: UsageVisitor): void {
    this.#add(this.#addresses, address, 1);
    if (knownProof !== undefined) this.#add(this.#visitors, knownProof.verificationId, 1);
  }

  /** Moves what was counted into an entry. */
  takeInto(entry: UsageEntry): UsageEntry {
    const networks = new Map<string, number>();
    for (const [address, requests] of this.#addresses) this.#add(networks, networkOf(address), requests);
    const taken = {
      ...entry,
      visitors: [...this.#visitors],
      networks: [...networks],
      isTruncated: this.#isTruncated,
    };
    this.#visitors.clear();
    this.#addresses.clear();
    this.#isTruncated = false;
    return taken;
  }

  /** Adds what another report counted. */
  merge({ visitors, networks, isTruncated }: Sources): void {
    for (const [id, requests] of visitors) this.#add(this.#visitors, id, requests);
    for (const [network, requests] of networks) this.#add(this.#addresses, network, requests);
    if (isTruncated) this.#isTruncated = true;
  }

  #add<Key>(counts: Map<Key, number>, key: Key, requests: number): void {
    const known = counts.get(key);
    if (known !== undefined) counts.set(key, known + requests);
    else if (counts.size < MAX_REPORTED_SOURCES) counts.set(key, requests);
    else this.#isTruncated = true;
  }
}

/** How many visitors and networks an entry lists. */
export function countSources({ visitors, networks }: Sources): number {
  return visitors.length + networks.length;
}

/** The sources of both entries. */
export function mergeSources(first: UsageEntry, second: UsageEntry): UsageEntry {
  const counts = new SourceCounts();
  counts.merge(first);
  counts.merge(second);
  return counts.takeInto(first);
}
