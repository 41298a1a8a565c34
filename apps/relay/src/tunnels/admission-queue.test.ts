import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { AdmissionQueue } from './admission-queue.ts';

/** A queue whose turns come when the test says so. */
function createQueue() {
  const turns: (() => void)[] = [];
  const admitted: Socket[] = [];
  const clock = { nowMs: 0 };
  const queue = new AdmissionQueue({
    now: () => clock.nowMs,
    nextTurn: (callback) => turns.push(callback),
    admit: (socket) => admitted.push(socket),
  });
  return {
    queue,
    admitted,
    clock,
    turns,
    turn(durationMs: number) {
      clock.nowMs += durationMs;
      turns.shift()?.();
    },
  };
}

function enter(queue: AdmissionQueue, count: number): Socket[] {
  const sockets = Array.from({ length: count }, () => new Socket());
  for (const socket of sockets) queue.enter(socket);
  return sockets;
}

test('of any number that come at once, one is let in at each turn, in their order', () => {
  const { queue, admitted, turn } = createQueue();
  queue.open();
  const sockets = enter(queue, 1_000);
  expect(admitted).toHaveLength(0);
  for (let count = 1; count <= 1_000; count++) {
    turn(1);
    expect(admitted).toHaveLength(count);
  }
  expect(admitted).toEqual(sockets);
});

test('long turns let more of them in, up to a limit', () => {
  const { queue, admitted, turn } = createQueue();
  queue.open();
  enter(queue, 100);
  turn(20);
  expect(admitted).toHaveLength(5);
  turn(1_000);
  expect(admitted).toHaveLength(5 + 16);
});

test('an empty queue takes no turns', () => {
  const { queue, turn, turns } = createQueue();
  queue.open();
  expect(turns).toHaveLength(0);
  enter(queue, 1);
  turn(1);
  expect(turns).toHaveLength(0);
});

test('before it is opened nobody is let in', () => {
  const { queue, admitted, turn, turns } = createQueue();
  enter(queue, 2);
  expect(turns).toHaveLength(0);
  queue.open();
  turn(1);
  turn(1);
  expect(admitted).toHaveLength(2);
});

test('who has left is passed over', async () => {
  const { queue, admitted, turn } = createQueue();
  queue.open();
  const [first, second] = enter(queue, 2);
  const closed = new Promise((resolve) => first?.once('close', resolve));
  first?.destroy();
  await closed;
  expect(queue.size).toBe(1);
  turn(1);
  expect(admitted).toEqual([second]);
});

test('who has waited for longer than agents do is cut off, without a handshake', () => {
  const { queue, admitted, clock, turn } = createQueue();
  queue.open();
  const late = enter(queue, 50);
  clock.nowMs += 8_000;
  const [recent] = enter(queue, 1);
  turn(1);
  expect(late.every((socket) => socket.destroyed)).toBe(true);
  turn(1);
  expect(admitted).toEqual([recent]);
});
