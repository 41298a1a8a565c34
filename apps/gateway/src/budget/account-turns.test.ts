import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from './account-turns.ts';

/** A clock that work itself moves on. */
function createTurns() {
  let monotonicMs = 0;
  const turns = new Turns(10, () => monotonicMs);
  const done: string[] = [];
  const work = (name: string, ms: number) => (): void => {
    monotonicMs += ms;
    done.push(name);
  };
  return { turns, work, done };
}

test('cheap work is done at once, however often', () => {
  const { turns, work, done } = createTurns();
  const account = turns.of();
  for (let count = 0; count < 1_000; count++) account.run(work('cheap', 0.001));
  expect(done).toHaveLength(1_000);
});

test('an account that has used up its time waits, in its own order, while others go on', async () => {
  const { turns, work, done } = createTurns();
  const [busy, quiet] = [turns.of(), turns.of()];
  busy.run(work('a', 12));
  for (const name of ['b', 'c', 'd']) busy.run(work(name, 6));
  quiet.run(work('key', 0));
  expect(done).toEqual(['a', 'key']);
  await setImmediate();
  expect(done).toEqual(['a', 'key', 'b', 'c']);
  await setImmediate();
  expect(done).toEqual(['a', 'key', 'b', 'c', 'd']);
  busy.run(work('e', 1));
  expect(done.at(-1)).toBe('e');
});

test('accounts that wait have one turn of the loop each', async () => {
  const { turns, work, done } = createTurns();
  const accounts = ['x', 'y'].map((name) => ({ name, turn: turns.of() }));
  for (const { name, turn } of accounts) for (let count = 0; count < 3; count++) turn.run(work(name, 20));
  expect(done).toEqual(['x', 'y']);
  while (done.length < 6) await setImmediate();
  expect(done).toEqual(['x', 'y', 'x', 'y', 'x', 'y']);
});

test('an account has one turn in each turn of the loop, however long it goes on', async () => {
  const { turns, work, done } = createTurns();
  const account = turns.of();
  for (let count = 0; count < 20; count++) account.run(work('slow', 20));
  while (done.length < 20) {
    const before = done.length;
    await setImmediate();
    expect(done.length - before).toBeLessThanOrEqual(2); // whether this came before it in the loop, or after
  }
});

test('an account may have so many small reads, and more as time goes by', () => {
  const { turns, work } = createTurns();
  const account = turns.of();
  let allowed = 0;
  while (account.countSmallRead()) allowed++;
  expect(allowed).toBe(1_999);
  expect(turns.of().countSmallRead()).toBe(true); // another account
  work('a second passes', 1_000)();
  while (account.countSmallRead()) allowed++;
  expect(allowed).toBe(2_998);
});

test('work that fails does not keep the account waiting for ever', async () => {
  const { turns, work, done } = createTurns();
  const account = turns.of();
  const fail = (): void => {
    work('failed', 20)();
    throw new Error('a bug');
  };
  expect(() => account.run(fail)).toThrow('a bug');
  account.run(work('later', 1));
  expect(done).toEqual(['failed']);
  await setImmediate();
  expect(done).toEqual(['failed', 'later']);
});
