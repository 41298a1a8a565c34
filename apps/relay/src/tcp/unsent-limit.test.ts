import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { getSocketCalls, TCP_NOTSENT_LOWAT } from './socket-calls.ts';
import { UnsentLimit } from './unsent-limit.ts';

const MEGABYTE = 1024 * 1024;

test('the kernel takes little unsent data, and more where the line is fast', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const visitor = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  server.close();
  const limitOf = () => getSocketCalls().calls?.get(socket, TCP_NOTSENT_LOWAT)?.readUInt32LE();

  const unsent = new UnsentLimit(socket);
  expect(limitOf()).toBe(128 * 1024);
  expect(unsent.shareBytes).toBe(32 * 1024);
  visitor.resume();
  for (let sent = 0; sent < 32; sent++) {
    await new Promise((resolve) => socket.write(Buffer.alloc(MEGABYTE), resolve));
    unsent.add(MEGABYTE);
  }
  expect(limitOf()).toBeGreaterThan(128 * 1024);
  expect(unsent.shareBytes).toBeGreaterThan(32 * 1024);
  socket.destroy();
  visitor.destroy();
});
