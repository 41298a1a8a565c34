import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { watchSession } from './watch-session.ts';

const handler = { sockets: { 'files/watch': () => Promise.resolve(watchSession) } };

test('the page learns why its session has ended', async () => {
  await using t = await startTestGateway(handler);
  const socket = t.open('files/watch');
  await once(socket, 'open');
  t.gateway.onServerMessage({ type: 'end', sessionId: 5, reason: 'right-ended' });
  const [[message]] = await Promise.all([once(socket, 'message'), once(socket, 'close')]);
  expect(JSON.parse(String(message))).toEqual({ type: 'failed', reason: 'right-ended' });
});

test('an open page keeps its session, and is warned before the idle end, which any message puts off', async () => {
  await using t = await startTestGateway(handler, { limits: { abandonedMs: 20, idleMs: 600, idleWarningMs: 400 } });
  const socket = t.open('files/watch');
  for (let warning = 0; warning < 3; warning++) {
    const [message] = await once(socket, 'message');
    expect(JSON.parse(String(message))).toEqual({ type: 'idle_warning', seconds: expect.any(Number) });
    socket.send('{}');
  }
  const [last] = await once(socket, 'message').then(async () => await once(socket, 'message'));
  expect(JSON.parse(String(last))).toEqual({ type: 'failed', reason: 'idle' });
});
