import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { startRawService } from '../testing/raw-service.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const MIB = 1 << 20;
/** In 32 bits this is 1 MiB: a 32-bit counter would end the body long before its real end. */
const LENGTH = 2 ** 32 + MIB;
const SENT = 24 * MIB;

async function sendPart(socket: Socket): Promise<void> {
  const piece = Buffer.alloc(MIB, 'x');
  for (let sent = 0; sent < SENT; sent += piece.length) if (!socket.write(piece)) await once(socket, 'drain');
}

async function startVisit(onConnection: (socket: Socket) => void) {
  const stack = new AsyncDisposableStack();
  const lan = stack.use(await startRawService(onConnection));
  const t = stack.use(await startTestRelay());
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  return { t, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a download goes on after 4 GiB, past a 32-bit counter', { timeout: 120_000 }, async () => {
  const services: Socket[] = [];
  await using visit = await startVisit((socket) => {
    services.push(socket);
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${LENGTH}\r\n\r\n`);
      void sendPart(socket);
    });
  });
  await using visitor = openRawClient(visit.t.relay.httpPort);
  let received = 0;
  visitor.socket.removeAllListeners('data');
  visitor.socket.on('data', (chunk: Buffer) => (received += chunk.length));
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await expect.poll(() => received, { timeout: 100_000 }).toBeGreaterThan(SENT);
  expect(visitor.hasEnded).toBe(false);
  await using second = new Http2Client(visit.t.relay.tlsPort, 'nas.localhost');
  const stream = second.open({ ':path': '/' });
  const [headers] = (await once(stream, 'response')) as [Record<string, string>];
  expect(headers['content-length']).toBe(String(LENGTH));
  let streamed = 0;
  stream.on('data', (chunk: Buffer) => (streamed += chunk.length));
  await expect.poll(() => streamed, { timeout: 100_000 }).toBe(SENT);
  expect(stream.closed).toBe(false);
  // What breaks off now is missed, because it was not the end.
  const closed = new Promise((resolve) => stream.once('close', resolve));
  for (const service of services) service.destroy();
  await closed;
  expect(stream.rstCode).not.toBe(0);
});

test('an upload goes on after 4 GiB, past a 32-bit counter', { timeout: 120_000 }, async () => {
  let head = '';
  let received = 0;
  await using visit = await startVisit((socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (received === 0) head = chunk.toString('latin1');
      received += chunk.length;
    });
  });
  await using visitor = openRawClient(visit.t.relay.httpPort);
  visitor.send(`POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: ${LENGTH}\r\n\r\n`);
  await sendPart(visitor.socket);
  await expect.poll(() => received, { timeout: 100_000 }).toBeGreaterThan(SENT);
  expect(head).toContain(`Content-Length: ${LENGTH}\r\n`);
  expect(visitor.text).toBe('');
});
