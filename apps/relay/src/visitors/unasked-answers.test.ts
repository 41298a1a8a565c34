import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { startRawService } from '../testing/raw-service.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
const unasked = answer('of somebody else');

/** A service that answers each request with its connection's number and path, and sends more only when a test says so. */
async function startGarrulous(onRequest?: (chunk: Buffer, say: (text: string) => void) => void) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const sockets: Socket[] = [];
  const asked: string[] = [];
  const lan = stack.use(
    await startRawService((socket) => {
      const number = sockets.push(socket);
      socket.on('data', (chunk) => {
        const [, path = ''] = chunk.toString('latin1').split(' ');
        asked.push(path);
        socket.write(answer(`connection ${number}: ${path}`));
      });
    }),
  );
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key, onRequest && { onRequest });
  return {
    sockets,
    asked,
    async visit(path: string, method = 'GET'): Promise<string> {
      await using visitor = openRawClient(t.relay.httpPort);
      const length = method === 'POST' ? 'Content-Length: 0\r\n' : '';
      visitor.send(`${method} ${path} HTTP/1.1\r\nHost: nas.localhost\r\n${length}Connection: close\r\n\r\n`);
      return await visitor.untilEnd();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('a LAN connection over which a service sends unrequested bytes is closed', async () => {
  await using service = await startGarrulous();
  expect(await service.visit('/1')).toMatch(/connection 1: \/1$/);
  const [first] = service.sockets;
  const closed = new Promise((resolve) => first?.once('close', resolve));
  first?.write(unasked);
  await closed;
  expect(await service.visit('/2')).toMatch(/connection 2: \/2$/);
});

test.each([
  ['GET', /^HTTP\/1\.1 200 [^]*connection 2: \/2$/, ['/1', '/2']],
  ['POST', /^HTTP\/1\.1 502 /, ['/1']],
])(
  'a second answer that crosses the next request is not taken for its answer: %s',
  async (method, expected, mustHaveSeen) => {
    await using service = await startGarrulous((_chunk, say) => say(unasked));
    expect(await service.visit('/1')).toMatch(/connection 1: \/1$/);
    const second = await service.visit('/2', method);
    expect(second).toMatch(expected);
    expect(second).not.toContain('of somebody else');
    expect(service.asked).toEqual(expect.arrayContaining(mustHaveSeen));
    // Its connection is not reused.
    expect(await service.visit('/3')).not.toContain('of somebody else');
  },
);

test('sequential requests share a LAN connection', async () => {
  await using service = await startGarrulous();
  for (const path of ['/1', '/2', '/3']) expect(await service.visit(path)).toContain(`connection 1: ${path}`);
});
