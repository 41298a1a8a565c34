/**
 * What some browsers lack that the build serves, as Safari from 16.4 to 17.3: the build lowers syntax, but adds no
 * functions. Only such a browser loads this, before anything else.
 */

/** Some of these functions may be missing. */
type Gaps = {
  AbortSignal: { any?: typeof AbortSignal.any };
  URL: { canParse?: typeof URL.canParse };
  Promise: { withResolvers?: typeof Promise.withResolvers };
  Map: { groupBy?: typeof Map.groupBy };
  Element: { prototype: { checkVisibility?: Element['checkVisibility'] } };
};

export function fillGaps({ AbortSignal, URL, Promise, Map, Element }: Gaps): void {
  AbortSignal.any ??= anyOf;
  URL.canParse ??= canParse;
  Promise.withResolvers ??= withResolvers;
  Map.groupBy ??= groupBy;
  Element.prototype.checkVisibility ??= hasBox;
}

function anyOf(signals: Iterable<AbortSignal>): AbortSignal {
  const either = new AbortController();
  for (const signal of signals) {
    const end = () => either.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { signal: either.signal });
  }
  return either.signal;
}

function canParse(url: string | URL, base?: string | URL): boolean {
  try {
    return new URL(url, base) instanceof URL;
  } catch {
    return false;
  }
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  const parts: Partial<PromiseWithResolvers<T>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return Object.assign(parts, { promise }) as PromiseWithResolvers<T>; // the promise has set both functions
}

function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function hasBox(this: Element): boolean {
  return this.getClientRects().length > 0;
}

fillGaps(globalThis);
