import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { AdmissionQueue } from './admission-queue.ts';

/** A queue whose turns and timers come when the test says so. */
function createQueue() {
  const turns: (() => void)[] = [];
  const admitted: Socket[] = [];
  const clock = new VirtualClock();
  const queue = new AdmissionQueue({
    monotonicMs: clock.monotonicMs,
    nextTurn: (callback) => turns.push(callback),
    after: clock.after,
    admit: (socket) => admitted.push(socket),
  });
  function turn(durationMs = 1): void {
    clock.advance(durationMs);
    turns.shift()?.();
  }
  /** Runs turns until no more agents are admitted. */
  function takeTurns(): void {
    while (turns.length > 0) turn(0);
  }
  return { queue, admitted, clock, turns, turn, takeTurns };
}

function enter(queue: AdmissionQueue, count: number): Socket[] {
  const sockets = Array.from({ length: count }, () => new Socket());
  for (const socket of sockets) queue.enter(socket);
  return sockets;
}

test('of many agents that connect at once, one is admitted at each turn, in their order', () => {
  const { queue, admitted, turn } = createQueue();
  queue.open();
  const sockets = enter(queue, 1_000);
  expect(admitted).toHaveLength(0);
  for (let count = 1; count <= 1_000; count++) {
    turn();
    expect(admitted).toHaveLength(count);
    queue.leave(sockets[count - 1] as Socket); // it has just been made
  }
  expect(admitted).toEqual(sockets);
});

test('after a long turn several are admitted, up to a limit', () => {
  const { queue, admitted, turn } = createQueue();
  queue.open();
  enter(queue, 100);
  turn(20);
  expect(admitted).toHaveLength(5);
  turn(1_000);
  expect(admitted).toHaveLength(5 + 16);
});

test('the number of unfinished logins has a limit, and each that finishes makes room for one', () => {
  const { queue, admitted, takeTurns } = createQueue();
  queue.open();
  const [first] = enter(queue, 500);
  takeTurns();
  expect(admitted).toHaveLength(48);
  queue.leave(first as Socket); // it has just been made
  takeTurns();
  expect(admitted).toHaveLength(49);
});

test('silent connections do not delay the others for long', () => {
  const { queue, admitted, clock, takeTurns } = createQueue();
  queue.open();
  enter(queue, 500);
  takeTurns();
  clock.advance(149);
  takeTurns();
  expect(admitted).toHaveLength(48);
  clock.advance(1);
  takeTurns();
  expect(admitted).toHaveLength(96);
});

test('an empty queue takes no turns', () => {
  const { queue, turn, turns } = createQueue();
  queue.open();
  expect(turns).toHaveLength(0);
  enter(queue, 1);
  turn();
  expect(turns).toHaveLength(0);
});

test('before the queue is opened nobody is admitted', () => {
  const { queue, admitted, takeTurns, turns } = createQueue();
  enter(queue, 2);
  expect(turns).toHaveLength(0);
  queue.open();
  takeTurns();
  expect(admitted).toHaveLength(2);
});

test('an agent that has left is skipped', () => {
  const { queue, admitted, takeTurns } = createQueue();
  queue.open();
  const [first, second] = enter(queue, 2);
  queue.leave(first as Socket); // it has just been made
  takeTurns();
  expect(admitted).toEqual([second]);
});

test('an agent that has waited longer than agents do is closed without a handshake, also before the queue is opened', () => {
  const { queue, admitted, clock, takeTurns } = createQueue();
  const late = enter(queue, 50);
  clock.advance(7_999);
  const [recent] = enter(queue, 1);
  expect(late.some((socket) => socket.destroyed)).toBe(false);
  clock.advance(1);
  expect(late.every((socket) => socket.destroyed)).toBe(true);
  queue.open();
  takeTurns();
  clock.advance(60_000);
  expect(admitted).toEqual([recent]);
  expect(recent?.destroyed).toBe(false);
});
