import { expect, test } from 'vitest';
import { Turns, type TurnLimits } from './turns.ts';

/** Work that goes on until the test says that it is done; `begun` names it in the order in which it began. */
function openTurns(limits: Partial<TurnLimits> = {}) {
  const turns = new Turns({ atOnce: 1, waitingEach: 10, waiting: 100, ...limits });
  const begun: string[] = [];
  const works = new Map<string, PromiseWithResolvers<string>>();
  const take = async (owner: string, name: string): Promise<string> => {
    const work = Promise.withResolvers<string>();
    works.set(name, work);
    return await turns.take(owner, async () => {
      begun.push(name);
      return await work.promise;
    });
  };
  const settle = async () => await new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    take,
    settle,
    finish: async (name: string) => {
      works.get(name)?.resolve(name);
      await settle();
    },
    fail: async (name: string) => {
      works.get(name)?.reject(new Error(name));
      await settle();
    },
  };
}

test('no more is done at once than may be, the rest when its turn comes', async () => {
  const { begun, take, settle, finish } = openTurns({ atOnce: 2 });
  const done = Promise.all([take('li', 'a'), take('wang', 'b'), take('zhao', 'c')]);
  await settle();
  expect(begun).toEqual(['a', 'b']);

  await finish('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await finish('a');
  await finish('c');
  expect(await done).toEqual(['a', 'b', 'c']);
});

test('of one owner one thing is done at a time, though there is room', async () => {
  const { begun, take, settle, finish } = openTurns({ atOnce: 2 });
  void take('li', 'a1');
  void take('li', 'a2');
  void take('wang', 'b');
  await settle();
  expect(begun).toEqual(['a1', 'b']);

  await finish('a1');
  expect(begun).toEqual(['a1', 'b', 'a2']);
});

test('who comes after much of another’s waits for one of it only', async () => {
  const { begun, take, settle, finish } = openTurns();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take('li', name);
  void take('wang', 'b');
  await settle();

  for (const name of ['a1', 'a2', 'b']) await finish(name);
  expect(begun).toEqual(['a1', 'a2', 'b', 'a3']);
});

test('who has too much waiting is refused at once, another is not', async () => {
  const { begun, take, settle, finish } = openTurns({ waitingEach: 2 });
  for (const name of ['a1', 'a2', 'a3']) void take('li', name);
  await settle();
  await expect(take('li', 'a4')).rejects.toMatchObject({ code: 'request.too-many', retryAfterSeconds: 1 });

  void take('wang', 'b');
  for (const name of ['a1', 'a2', 'b', 'a3']) await finish(name);
  expect(begun).toEqual(['a1', 'a2', 'b', 'a3']);
});

test('everybody is refused while all together wait for too much, and nobody after that', async () => {
  const { begun, take, settle, finish } = openTurns({ waiting: 1 });
  void take('li', 'a');
  void take('wang', 'b');
  await settle();
  await expect(take('zhao', 'c')).rejects.toMatchObject({ code: 'request.too-many' });

  await finish('a');
  await finish('b');
  void take('zhao', 'd');
  await settle();
  expect(begun).toEqual(['a', 'b', 'd']);
});

test('work that fails gives its turn back', async () => {
  const { begun, take, settle, fail } = openTurns();
  const failed = Promise.allSettled([take('li', 'a')]);
  void take('wang', 'b');
  await settle();

  await fail('a');
  expect(await failed).toMatchObject([{ status: 'rejected' }]);
  expect(begun).toEqual(['a', 'b']);
});
