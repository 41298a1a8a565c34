import { expect, test } from 'vitest';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { EnrolmentQueue } from './enrolment-queue.ts';

const request = { token: 't', publicKey: 'k', name: 'nas', publicIp: '127.0.0.1' };

test('1 000 enrolments at once are sent to the server in parts, and every one gets its answer', async () => {
  const open: (() => void)[] = [];
  let most = 0;
  const queue = new EnrolmentQueue(async () => {
    await new Promise<void>((resolve) => open.push(resolve));
    return testDevice(createAgentKey(), {});
  });
  const answers = Promise.all(Array.from({ length: 1_000 }, () => queue.enrol(request)));
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
  const queue = new EnrolmentQueue(async () => {
    count++;
    throw new Error('refused');
  });
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => queue.enrol(request)));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(count).toBe(300);
});

test('enrolments over the limit of the queue are refused', async () => {
  const queue = new EnrolmentQueue(() => new Promise(() => {}));
  for (let n = 0; n < 100 + 4_096; n++) queue.enrol(request).catch(() => {});
  await expect(queue.enrol(request)).rejects.toMatchObject({ code: 'request.too-many' });
});
