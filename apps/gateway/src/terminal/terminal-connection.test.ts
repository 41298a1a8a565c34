import { expect, test } from 'vitest';
import { TargetError } from '../session/live-session.ts';
import { startSshServer } from '../testing/start-ssh-server.ts';
import { createTestSession, type TestSession } from '../testing/test-session.ts';
import { openTerminal } from './testing/open-terminal.ts';

function createSession({ port, fingerprint }: { port: number; fingerprint: string }): TestSession {
  return createTestSession({ port, hostKey: fingerprint, options: { username: 'root' } });
}

test('the end of the session cuts the target at once and says why', async () => {
  await using server = await startSshServer();
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  session.end('right-ended');
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'right-ended' });
  expect(await terminal.closes()).toBe(1000);

  await using late = await openTerminal(session);
  expect(await late.next('failed')).toEqual({ type: 'failed', reason: 'right-ended' });
  expect(await late.closes()).toBe(1000);
});

test('where the connection is cut because the session ends, the browser learns the reason and not the cut', async () => {
  await using server = await startSshServer();
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  session.streams[0]?.destroy(new TargetError('lost'));
  await new Promise((resolve) => setImmediate(resolve)); // the shell has seen its end
  session.end('plan-ended');
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'plan-ended' });
  expect(await terminal.closes()).toBe(1000);
});

test('the end of the session stops a login that waits for the user', async () => {
  await using server = await startSshServer();
  const session = createTestSession({ port: server.port, options: { username: 'root' } });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('host_key');
  session.end('ended-by-user');
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'ended-by-user' });
  expect(await terminal.closes()).toBe(1000);
  expect(session.calls.filter((call) => call.startsWith('keep'))).toEqual([]);
});

test('a browser that leaves during the login ends the connection to the target', async () => {
  await using server = await startSshServer();
  const session = createTestSession({ port: server.port, options: { username: 'root' } });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('host_key');
  terminal.socket.terminate();
  await expect.poll(() => session.streams.map((stream) => stream.destroyed)).toEqual([true]);
});

test('the browser is warned before the idle end, and what a person does counts as activity', async () => {
  await using server = await startSshServer();
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  session.warn(60);
  expect(await terminal.next('idle_warning')).toEqual({ type: 'idle_warning', seconds: 60 });
  terminal.start();
  await terminal.next('connected');
  terminal.send({ type: 'resize', columns: 100, rows: 30 });
  terminal.send({ type: 'drawn', bytes: 1 });
  terminal.type('x');
  await expect.poll(() => session.calls).toEqual(['touch', 'touch']);
});

const start = { type: 'start', columns: 80, rows: 24 };
test.each([
  ['no JSON', '{'],
  ['an unknown message', '{"type":"eval"}'],
  ['a size of nothing', JSON.stringify({ ...start, columns: 0 })],
  ['a number of bytes below zero', '{"type":"drawn","bytes":-1}'],
  ['a long text', JSON.stringify({ ...start, more: 'x'.repeat(200_000) })],
  ['long input', Buffer.alloc(1_100_000)],
])('%s closes the WebSocket', async (_what, data) => {
  await using terminal = await openTerminal(createTestSession({ port: 1 }));
  terminal.socket.send(data);
  expect(await terminal.closes()).toBe(1008);
});

test('a second start while the first goes on closes the WebSocket and the target', async () => {
  await using server = await startSshServer();
  const session = createTestSession({ port: server.port, options: { username: 'root' } });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('host_key');
  terminal.start();
  expect(await terminal.closes()).toBe(1008);
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
});

test('what comes while there is no shell is ignored', async () => {
  await using server = await startSshServer();
  await using terminal = await openTerminal(createSession(server));
  terminal.type('x');
  terminal.send({ type: 'answers', answers: ['x'] });
  terminal.send({ type: 'trust_host_key', trusted: true });
  terminal.send({ type: 'resize', columns: 100, rows: 30 });
  terminal.send({ type: 'drawn', bytes: 1_000_000 });
  terminal.start();
  await terminal.next('connected');
});

test('a browser that claims to draw more than it reads cannot fill the memory', async () => {
  await using server = await startSshServer({ onShell: (channel) => channel.write(Buffer.alloc(20_000_000, 'x')) });
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  terminal.socket.pause();
  const claim = async (): Promise<number> => {
    const touches = session.calls.length;
    terminal.send({ type: 'drawn', bytes: 100_000_000 });
    terminal.send({ type: 'answers', answers: [] }); // counts as activity, and so is seen
    await expect.poll(() => session.calls.length, { interval: 1 }).toBe(touches + 1);
    return terminal.gatewaySocket.bufferedAmount;
  };
  await expect.poll(claim).toBeGreaterThan(128 * 1024);
  for (let times = 0; times < 20; times += 1) expect(await claim()).toBeLessThan(1_000_000);
});
