import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PacedWork } from './paced-work.ts';

test('some of many tasks are done at each turn, in their order', async () => {
  const work = new PacedWork({ perTurn: 3 });
  const done: number[] = [];
  for (let n = 0; n < 7; n++) work.add(() => done.push(n));
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual([0, 1, 2]);
  await nextTurn();
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('a task that adds another one gets it done', async () => {
  const work = new PacedWork({ perTurn: 1 });
  const done = new Promise<void>((resolve) => work.add(() => work.add(resolve)));
  await done;
});
