import { Socket } from 'node:net';
import type { LineLoss } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { parseTcpInfo, type TcpInfo } from '../tcp/tcp-info.ts';
import { LineWatch } from './line-watch.ts';

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;

/** A device with some connections, whose kernel counts what a test says. */
function open(count = 1, congestionControl = 'cubic') {
  const nothing = parseTcpInfo(Buffer.alloc(232));
  if (nothing === undefined) throw new Error('the structure is long enough');
  const infos = new Map<Socket, TcpInfo>();
  const sockets = Array.from({ length: count }, () => new Socket());
  for (const socket of sockets) infos.set(socket, { ...nothing, rttMs: 30, deliveryRateBytesPerS: MEGABYTE });
  const changes: (LineLoss | undefined)[] = [];
  let asked = 0;
  let monotonicMs = 0;
  const watch = new LineWatch({
    sockets: () => sockets,
    readTcpInfo: (socket) => infos.get(socket),
    readCongestionControl: () => congestionControl,
    askDevice: () => asked++,
    onChange: (loss) => changes.push(loss),
    everyMs: 30_000,
  });
  watch.measure(monotonicMs);
  return {
    watch,
    changes,
    sockets,
    asked: () => asked,
    /** The kernel counts this of one connection. */
    count(more: { sent?: number; again?: number; received?: number; rttMs?: number }, index = 0) {
      const socket = sockets[index];
      const info = socket && infos.get(socket);
      if (socket === undefined || info === undefined) throw new Error('no such connection');
      infos.set(socket, {
        ...info,
        rttMs: more.rttMs ?? info.rttMs,
        bytesSent: (info.bytesSent ?? 0) + (more.sent ?? 0),
        bytesRetransmitted: (info.bytesRetransmitted ?? 0) + (more.again ?? 0),
        bytesReceived: (info.bytesReceived ?? 0) + (more.received ?? 0),
      });
    },
    pass(ms: number) {
      for (const endMs = monotonicMs + ms; monotonicMs < endMs;) watch.measure((monotonicMs += 6_000));
    },
  };
}

test('a line that loses packets is reported, and once more when it is good again', () => {
  const it = open();
  it.count({ sent: MEGABYTE, again: 30_000, rttMs: 42.4 });
  it.pass(MINUTE_MS);
  expect(it.changes).toEqual([{ percent: 3, rttMs: 42 }]);
  for (let minute = 0; minute < 10; minute++) {
    it.count({ sent: MEGABYTE });
    it.pass(MINUTE_MS);
  }
  expect(it.changes.at(-1)).toBeUndefined();
  expect(it.changes.filter((loss) => loss === undefined)).toHaveLength(1);
});

test('a line that was good through a large download is called lossy within two minutes', () => {
  const it = open();
  it.count({ sent: 500 * MEGABYTE });
  it.pass(MINUTE_MS);
  for (let count = 0; count < 10; count++) {
    it.count({ sent: MEGABYTE, again: 20_000 });
    it.pass(12_000);
  }
  expect(it.changes).toHaveLength(1);
});

test('losses of all connections count together, and so does what the device says of its own', () => {
  const it = open(2);
  it.count({ sent: MEGABYTE, again: 5_000 }, 0);
  it.count({ sent: MEGABYTE, again: 5_000 }, 1);
  it.pass(MINUTE_MS);
  expect(it.changes).toEqual([]);
  it.watch.onDeviceSent({ sent: MEGABYTE, again: 20_000, congestionControl: 'cubic', peakBytesPerS: MEGABYTE });
  it.pass(MINUTE_MS);
  expect(it.changes).toEqual([{ percent: 2, rttMs: 30 }]);
});

test('a loss about the threshold does not flicker', () => {
  const it = open();
  for (let minute = 0; minute < 60; minute++) {
    it.count({ sent: MEGABYTE, again: minute % 2 === 0 ? 13_000 : 8_000 });
    it.pass(MINUTE_MS);
  }
  expect(it.changes).toHaveLength(1);
});

test('what is shown follows the loss, but not each minute', () => {
  const it = open();
  for (let minute = 0; minute < 30; minute++) {
    it.count({ sent: MEGABYTE, again: 20_000 + minute * 2_000 });
    it.pass(MINUTE_MS);
  }
  expect(it.changes.length).toBeGreaterThan(2);
  expect(it.changes.length).toBeLessThanOrEqual(6);
});

test('what bbr sends again on a full line is its own doing, and a little on a line that is not full', () => {
  const full = open(1, 'bbr');
  full.count({ sent: 20 * MEGABYTE, again: 2 * MEGABYTE });
  full.pass(MINUTE_MS);
  const slight = open(1, 'bbr');
  slight.count({ sent: MEGABYTE, again: 15_000 });
  slight.pass(MINUTE_MS);
  expect([...full.changes, ...slight.changes]).toEqual([]);
  const lossy = open(1, 'bbr');
  lossy.count({ sent: MEGABYTE, again: 30_000 });
  lossy.pass(MINUTE_MS);
  expect(lossy.changes).toEqual([{ percent: 3, rttMs: 30 }]);
});

test('a device that fills the line by bbr is not called lossy either', () => {
  const answer = { sent: 20 * MEGABYTE, again: 2 * MEGABYTE, congestionControl: 'bbr', peakBytesPerS: MEGABYTE };
  const it = open();
  it.count({ received: 20 * MEGABYTE });
  it.pass(30_000);
  expect(it.asked()).toBe(1);
  it.watch.onDeviceSent(answer);
  it.pass(MINUTE_MS);
  expect(it.changes).toEqual([]);
  it.count({ received: MEGABYTE });
  it.pass(30_000);
  it.watch.onDeviceSent({ ...answer, sent: MEGABYTE, again: 30_000 });
  it.pass(MINUTE_MS);
  expect(it.changes).toEqual([{ percent: 3, rttMs: 30 }]);
});

test('little traffic says nothing, and a line that is idle is not called lossy any more', () => {
  const it = open();
  it.count({ sent: 20_000, again: 5_000 });
  it.pass(MINUTE_MS);
  expect(it.changes).toEqual([]);
  it.count({ sent: MEGABYTE, again: 50_000 });
  it.pass(4 * MINUTE_MS);
  expect(it.changes).toHaveLength(1);
  it.pass(3 * MINUTE_MS);
  expect(it.changes.at(-1)).toBeUndefined();
  expect(it.changes).toHaveLength(2);
});

test('the device is asked only after it has sent something', () => {
  const it = open();
  it.pass(10 * MINUTE_MS);
  expect(it.asked()).toBe(0);
  it.count({ received: MEGABYTE });
  it.pass(MINUTE_MS);
  expect(it.asked()).toBe(1);
  it.pass(10 * MINUTE_MS);
  expect(it.asked()).toBe(1);
});

test('a connection that replaces another one is counted from its start', () => {
  const it = open();
  it.count({ sent: 10 * MEGABYTE, again: 0 });
  it.pass(MINUTE_MS);
  it.sockets[0] = new Socket();
  it.pass(MINUTE_MS); // its kernel says nothing: it is closed
  expect(it.changes).toEqual([]);
});
