import { expect, test } from 'vitest';
import { startRawServer } from '../../testing/start-raw-server.ts';
import { createTestSession } from '../../testing/test-session.ts';
import { Aria2Rpc } from './aria2-rpc.ts';

const call = { method: 'getGlobalOption' } as const;

test('a target that never answers is given up', async () => {
  await using silent = await startRawServer(() => {});
  const session = createTestSession({ kind: 'aria2', port: silent.port });
  const rpc = new Aria2Rpc({ session, secret: undefined, answerTimeoutMs: 50 });
  await expect(rpc.call(call)).rejects.toMatchObject({ name: 'TargetError', code: 'timed-out' });
  rpc.destroy();
});

test.each([
  ['', '/jsonrpc'],
  ['aria2/rpc', '/aria2/rpc'],
  ['/下载\r\nX: y', '/%E4%B8%8B%E8%BD%BD%0D%0AX:%20y'],
])('the path %j is asked for as %s', async (typed, asked) => {
  let first = '';
  await using target = await startRawServer((socket) =>
    socket.once('data', (bytes) => {
      first = bytes.toString().split(' HTTP')[0] ?? '';
      socket.destroy();
    }),
  );
  const session = createTestSession({ kind: 'aria2', port: target.port, options: { path: typed } });
  const rpc = new Aria2Rpc({ session, secret: 's', trustedHostKey: undefined });
  await expect(rpc.call(call)).rejects.toMatchObject({ code: 'lost' });
  expect(first).toBe(`POST ${asked}`);
  rpc.destroy();
});
