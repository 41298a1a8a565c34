import { expect, test } from 'vitest';
import { EmptyWait } from './empty-wait.ts';

test('all waits end when the last item is removed', async () => {
  const open = new Set(['a', 'b']);
  const emptyWait = new EmptyWait(() => open.size === 0);
  const over: number[] = [];
  const waits = [1, 2].map((name) => emptyWait.wait(600_000).then(() => over.push(name)));
  open.delete('a');
  emptyWait.onEnded();
  await new Promise(setImmediate);
  expect(over).toEqual([]);
  open.delete('b');
  emptyWait.onEnded();
  await Promise.all(waits);
  expect(over).toEqual([1, 2]);
});

test('a wait for nothing ends at once, and a wait has a time limit', async () => {
  await new EmptyWait(() => true).wait(600_000);
  await new EmptyWait(() => false).wait(1);
});
