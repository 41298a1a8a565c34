import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { getSocketCalls, loadSocketCalls, TCP_CONGESTION, TCP_NOTSENT_LOWAT } from './socket-calls.ts';

test('where the library has no machine code there are no calls, and a reason', () => {
  const loaded = loadSocketCalls(() => {
    throw new Error('Cannot find the native module');
  });
  expect(loaded).toEqual({ problem: 'Cannot find the native module' });
});

test('an option that is set is read back, and a refusal has its name', async () => {
  const { calls } = getSocketCalls();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const value = Buffer.alloc(4);
  value.writeUInt32LE(54_321);
  expect(calls?.set(server, TCP_NOTSENT_LOWAT, value)).toBeUndefined();
  expect(calls?.get(server, TCP_NOTSENT_LOWAT)).toEqual(value);
  expect(calls?.set(server, TCP_CONGESTION, Buffer.from('nonsense'))).toBe('ENOENT');
  expect(calls?.get(server, 9_999)).toBeUndefined();
  server.close();
  expect(calls?.set(server, TCP_NOTSENT_LOWAT, value)).toBe('EBADF');
});
