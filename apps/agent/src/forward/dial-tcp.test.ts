import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import { dialTcp } from './dial-tcp.ts';
import { TargetError } from './target-error.ts';

const { signal } = new AbortController();

test('of several addresses the one that answers is taken, whatever the others do', async () => {
  await using service = await startLanService(() => {});
  // Nothing answers at the documentation addresses of RFC 5737 and RFC 3849.
  const addresses = ['2001:db8::1', '127.0.0.2', '192.0.2.1', '127.0.0.1'];
  const socket = await dialTcp(addresses, service.port, signal);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test('where every address fails, the failure of the last one is reported', async () => {
  const port = await freePort();
  await expect(dialTcp(['127.0.0.1', '127.0.0.2'], port, signal)).rejects.toMatchObject({ failure: 'refused' });
  await expect(dialTcp([], port, signal)).rejects.toMatchObject({ failure: 'notFound' });
});

test('an abort ends every attempt with its reason', async () => {
  const limit = new AbortController();
  const dialled = dialTcp(['192.0.2.1', '192.0.2.2', '2001:db8::1'], 9, limit.signal);
  limit.abort(new TargetError('timeout'));
  await expect(dialled).rejects.toMatchObject({ failure: 'timeout' });
});
