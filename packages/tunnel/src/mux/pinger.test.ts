import { expect, test } from 'vitest';
import { Pinger } from './pinger.ts';

/** A pinger on a fake clock; `measure` makes one round trip of that length. */
function startPinger() {
  let monotonicMs = 1_000;
  let sent = 0;
  const replies: [number, number][] = [];
  const pinger = new Pinger({
    monotonicMs: () => monotonicMs,
    send: () => ({ value: ++sent, mark: sent * 10 }),
    onReply: (rttMs, mark) => replies.push([rttMs, mark]),
  });
  return {
    pinger,
    replies,
    async measure(rttMs: number): Promise<number> {
      const answered = pinger.ping();
      monotonicMs += rttMs;
      pinger.receive(sent);
      return await answered;
    },
    wait: (ms: number) => (monotonicMs += ms),
  };
}

test('a round trip through full queues does not raise the estimate', async () => {
  const { pinger, measure } = startPinger();
  expect(pinger.rttMs).toBeUndefined();
  await measure(5);
  expect(await measure(170)).toBe(170);
  for (let n = 0; n < 20; n++) await measure(150);
  expect(pinger.rttMs).toBe(5);
});

test('a longer round trip is adopted within 40 s', async () => {
  const { pinger, measure, wait } = startPinger();
  await measure(5);
  wait(20_000);
  await measure(80);
  expect(pinger.rttMs).toBe(5);
  wait(20_000);
  await measure(90);
  expect(pinger.rttMs).toBe(80);
});

test('a shorter round trip is adopted at once', async () => {
  const { pinger, measure } = startPinger();
  await measure(80);
  await measure(20);
  expect(pinger.rttMs).toBe(20);
});

test('of several pings under way each is measured, and a reply that another one has overtaken is no fault', () => {
  const { pinger, replies, wait } = startPinger();
  for (let n = 0; n < 3; n++) {
    pinger.start();
    wait(10);
  }
  pinger.receive(1);
  expect(pinger.sentAtMs).toBe(1_010);
  pinger.receive(3);
  expect(pinger.sentAtMs).toBeUndefined();
  pinger.receive(2);
  expect(replies).toEqual([
    [30, 10],
    [10, 30],
  ]);
  expect(() => pinger.receive(2)).toThrow('not asked for');
});
