import { expect, test } from 'vitest';
import { CallQueue } from './call-queue.ts';

test('1 000 calls at once are sent to the server in parts, and every one gets its answer', async () => {
  const open: (() => void)[] = [];
  let most = 0;
  const queue = new CallQueue(100);
  const call = async () => await new Promise<void>((resolve) => open.push(resolve));
  const answers = Promise.all(Array.from({ length: 1_000 }, () => queue.run(call)));
  let isDone = false;
  void answers.then(() => (isDone = true));
  while (!isDone) {
    most = Math.max(most, open.length);
    for (const answer of open.splice(0)) answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answers).toHaveLength(1_000);
  expect(most).toBe(100);
});

test('a refusal makes room for the next one', async () => {
  let count = 0;
  const queue = new CallQueue(100);
  const call = async () => {
    count++;
    throw new Error('refused');
  };
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => queue.run(call)));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(count).toBe(300);
});

test('calls over the limit of the queue are refused', async () => {
  const queue = new CallQueue(100);
  const call = async () => await new Promise<void>(() => {});
  for (let n = 0; n < 100 + 4_096; n++) queue.run(call).catch(() => {});
  await expect(queue.run(call)).rejects.toMatchObject({ code: 'request.too-many' });
});
