import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultGatewayLimits } from '../config/gateway-limits.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { watchSession } from './watch-session.ts';

const handler = { sockets: { 'files/watch': watchSession } };

test('the page learns why its session has ended', async () => {
  await using t = await startTestGateway(handler);
  const socket = t.open('files/watch');
  await once(socket, 'open');
  t.gateway.onServerMessage({ type: 'end', sessionId: 5, reason: 'right-ended' });
  const [[message]] = await Promise.all([once(socket, 'message'), once(socket, 'close')]);
  expect(JSON.parse(String(message))).toEqual({ type: 'failed', reason: 'right-ended' });
});

test('an open page keeps its session, and is warned before the idle end, which any message puts off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await using t = await startTestGateway(handler);
  const { idleMs, idleWarningMs } = defaultGatewayLimits;
  const socket = t.open('files/watch');
  const messages: unknown[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  const warnings: unknown[] = [];
  for (let time = 0; time < 3; time++) {
    vi.advanceTimersByTime(idleMs - idleWarningMs);
    warnings.push({ type: 'idle_warning', seconds: 60 });
    await expect.poll(() => messages).toEqual(warnings);
    socket.send('{}');
    socket.ping(); // answered after the message was read
    await once(socket, 'pong');
  }
  vi.advanceTimersByTime(idleMs);
  await once(socket, 'close');
  expect(messages).toEqual([...warnings, { type: 'idle_warning', seconds: 60 }, { type: 'failed', reason: 'idle' }]);
});
