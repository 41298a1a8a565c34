import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refetchChanged } from './refetch-changed.ts';

const queryKey = ['devices'];

/** A list of several pages; the test decides when each page arrives. */
function openList() {
  const queryClient = new QueryClient();
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  let fetches = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: async ({ signal }) => {
      const fetch = ++fetches;
      for (const page of [1, 2]) {
        asked.push(`${fetch}.${page}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
        signal.throwIfAborted();
      }
      return fetch;
    },
  });
  const leave = observer.subscribe(() => undefined);
  return {
    queryClient,
    asked,
    shown: () => observer.getCurrentResult().data,
    /** Delivers the page that was requested last. */
    arrive: async () => {
      await expect.poll(() => waiting.length).toBe(1);
      waiting.pop()?.();
    },
    [Symbol.dispose]: leave,
  };
}

test('a list that is still loading finishes when something changes, and is then fetched again', async () => {
  using list = openList();
  await list.arrive();
  await list.arrive();
  await expect.poll(list.shown).toBe(1);

  const first = refetchChanged(list.queryClient, queryKey);
  await list.arrive();
  await expect.poll(() => list.asked).toEqual(['1.1', '1.2', '2.1', '2.2']);
  const more = [1, 2, 3].map(async () => await refetchChanged(list.queryClient, queryKey));
  await list.arrive();
  await first;
  expect(list.shown()).toBe(2);
  await list.arrive();
  await list.arrive();
  await Promise.all(more);

  expect(list.asked).toEqual(['1.1', '1.2', '2.1', '2.2', '3.1', '3.2']);
  expect(list.shown()).toBe(3);
});

test('a list that changes during its first load is fetched again', async () => {
  using list = openList();
  await list.arrive();
  const changed = refetchChanged(list.queryClient, queryKey);
  await list.arrive();
  await list.arrive();
  await list.arrive();
  await changed;

  expect(list.asked).toEqual(['1.1', '1.2', '2.1', '2.2']);
  expect(list.shown()).toBe(2);
});

/** Two lists below one key; the test decides when each reply arrives. */
function openSiblings() {
  const queryClient = new QueryClient();
  const asked: string[] = [];
  const waiting = new Map<string, () => void>();
  const leave = ['quick', 'slow'].map((name) =>
    new QueryObserver(queryClient, {
      queryKey: [...queryKey, name],
      queryFn: async () => {
        asked.push(name);
        await new Promise<void>((resolve) => waiting.set(name, resolve));
        return name;
      },
    }).subscribe(() => undefined),
  );
  return {
    queryClient,
    asked,
    arrive: async (name: string) => {
      await expect.poll(() => waiting.has(name)).toBe(true);
      waiting.get(name)?.();
      waiting.delete(name);
      await expect
        .poll(() => waiting.has(name) || queryClient.isFetching({ queryKey: [...queryKey, name] }) === 0)
        .toBe(true);
    },
    [Symbol.dispose]: () => leave.forEach((each) => each()),
  };
}

test('a loaded list is fetched once, even while another one is loading', async () => {
  using siblings = openSiblings();
  await siblings.arrive('quick');
  const changed = refetchChanged(siblings.queryClient, queryKey);
  await siblings.arrive('quick');
  await siblings.arrive('slow');
  await siblings.arrive('slow');
  await changed;

  expect(siblings.asked).toEqual(['quick', 'slow', 'quick', 'slow']);
});
