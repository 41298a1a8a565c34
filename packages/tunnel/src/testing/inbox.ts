/** A queue whose items are taken once, in order, also by takers that came first. */
export type Inbox<T> = { put: (item: T) => void; take: () => Promise<T> };

export function createInbox<T>(): Inbox<T> {
  const items: T[] = [];
  const takers: ((item: T) => void)[] = [];
  return {
    put(item) {
      const taker = takers.shift();
      if (taker === undefined) items.push(item);
      else taker(item);
    },
    take() {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve(item);
      return new Promise((resolve) => takers.push(resolve));
    },
  };
}
