import { wildcardParent } from '@tongtu/contract';
import type { RouteEntry } from './route-entry.ts';

/** The routes whose host is a wildcard, by the domain whose names they cover. */
export class WildcardRoutes {
  readonly #byParent = new Map<string, RouteEntry>();
  /** How many of these domains have a length. A visitor may name a host with 127 parents: most of them are not hashed. */
  readonly #lengths = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#byParent.size === 0;
  }

  find(parent: string): RouteEntry | undefined {
    return this.#lengths.has(parent.length) ? this.#byParent.get(parent) : undefined;
  }

  put(entry: RouteEntry): void {
    const parent = wildcardParent(entry.route.host);
    if (!this.#byParent.has(parent)) this.#count(parent.length, 1);
    this.#byParent.set(parent, entry);
  }

  remove(host: string): void {
    const parent = wildcardParent(host);
    if (this.#byParent.delete(parent)) this.#count(parent.length, -1);
  }

  #count(length: number, change: 1 | -1): void {
    const count = (this.#lengths.get(length) ?? 0) + change;
    if (count === 0) this.#lengths.delete(length);
    else this.#lengths.set(length, count);
  }
}
