import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import type { Subnet } from './own-subnets.ts';
import { PacedDialer } from './paced-dialer.ts';

const loopback: Subnet = { address: '127.0.0.2', mac: undefined, first: 2_130_706_432, last: 2_130_706_435 };
const open = { subnets: [loopback], signal: new AbortController().signal };

test('a place is free again when its socket is closed', async () => {
  await using service = await startLanService(() => {});
  const dialer = new PacedDialer({ ...open, maxOpenSockets: 2, maxConnectsPerSecond: 1000 });
  const dial = () => dialer.dial('127.0.0.1', service.port, 1000);
  const [first, second] = await Promise.all([dial(), dial()]);
  let third: Socket | undefined;
  const waiting = dial().then((socket) => (third = socket));
  await new Promise(setImmediate);
  expect(third).toBeUndefined();
  first.destroy();
  (await waiting).destroy();
  second.destroy();
});

test('a port that refuses gives its place back', async () => {
  const service = await startLanService(() => {});
  await service[Symbol.asyncDispose]();
  const dialer = new PacedDialer({ ...open, maxOpenSockets: 1, maxConnectsPerSecond: 1000 });
  for (let count = 0; count < 3; count++)
    await expect(dialer.dial('127.0.0.1', service.port, 1000)).rejects.toMatchObject({ failure: 'refused' });
});

test('connections begin one after the other, at most so many in a second', async () => {
  await using service = await startLanService(() => {});
  const pausesMs: number[] = [];
  const pause = async (durationMs: number) => void pausesMs.push(durationMs);
  const dialer = new PacedDialer({ ...open, maxConnectsPerSecond: 4, monotonicMs: () => 0, pause });
  const sockets = Array.from({ length: 5 }, () => dialer.dial('127.0.0.1', service.port, 60_000));
  for (const socket of await Promise.all(sockets)) socket.destroy();
  expect(pausesMs).toEqual([250, 500, 750, 1000]);
});
