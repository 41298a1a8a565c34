import { expect, test } from 'vitest';
import { PendingChanges } from './pending-changes.ts';

const notified = { isAwaited: false };
const awaited = { isAwaited: true };

function resolveAll(changes: PendingChanges): number[] {
  const taken = changes.take(100);
  for (const { resolve } of taken.values()) resolve();
  return [...taken.keys()];
}

test('the same change is taken once, whether it is pending, being sent or sent', async () => {
  const changes = new PendingChanges();
  const change = { deviceId: 1, version: '700' };
  const first = changes.add(change, notified);
  const repeats = [changes.add(change, awaited)];

  const taken = changes.take(100);
  repeats.push(changes.add(change, awaited));
  expect([...taken.keys()]).toEqual([1]);
  for (const { resolve } of taken.values()) resolve();
  repeats.push(changes.add(change, notified));

  await Promise.all([first, ...repeats]);
  expect(changes.size).toBe(0);
});

test('another change of a device, or one without a version, is taken after the one that is being sent', () => {
  const changes = new PendingChanges();
  void changes.add({ deviceId: 1, version: '700' }, notified);
  changes.take(100);

  void changes.add({ deviceId: 1, version: '701' }, notified);
  expect(resolveAll(changes)).toEqual([1]);
  void changes.add({ deviceId: 1 }, notified);
  void changes.add({ deviceId: 1 }, notified);
  expect(resolveAll(changes)).toEqual([1]);
});

test('a change that could not be sent is pending again and is sent together with later changes', async () => {
  const changes = new PendingChanges();
  const older = changes.add({ deviceId: 1, version: '700' }, awaited);
  const other = changes.add({ deviceId: 2, version: '700' }, notified);
  const taken = changes.take(100);
  const newer = changes.add({ deviceId: 1, version: '701' }, notified);

  changes.putBack(taken);

  expect(changes.size).toBe(2);
  expect(resolveAll(changes)).toEqual([1, 2]);
  await Promise.all([older, newer, other]);
});

test('changes with a waiting answer are taken first', () => {
  const changes = new PendingChanges();
  void changes.add({ deviceId: 1, version: '700' }, notified);
  void changes.add({ deviceId: 2, version: '701' }, notified);
  void changes.add({ deviceId: 2, version: '701' }, awaited);

  expect([...changes.take(1).keys()]).toEqual([2]);
  expect([...changes.take(1).keys()]).toEqual([1]);
});

test('a snapshot replaces all pending changes', async () => {
  const changes = new PendingChanges();
  const pending = changes.add({ deviceId: 1, version: '700' }, awaited);

  changes.clear();

  await pending;
  expect(changes.size).toBe(0);
});
