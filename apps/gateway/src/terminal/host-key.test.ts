import type { ServerChannel } from 'ssh2';
import { expect, test } from 'vitest';
import { acceptPassword, newKey, startSshServer } from '../testing/start-ssh-server.ts';
import { createTestSession } from '../testing/test-session.ts';
import { openTerminal } from './testing/open-terminal.ts';

const login = { options: { username: 'root' }, secrets: { password: 'right' } };

test('an owner who accepts the key of a new target pins it', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  const session = createTestSession({ port: server.port, ...login });
  await using terminal = await openTerminal(session);
  terminal.start();
  expect(await terminal.next('host_key')).toEqual({ type: 'host_key', fingerprint: server.fingerprint });
  expect(session.calls).toEqual(['touch']);
  terminal.send({ type: 'trust_host_key', trusted: true });
  await terminal.next('connected');
  expect(session.calls).toEqual(['touch', 'touch', `keep ${server.fingerprint}`]);
});

test('a member who accepts it does so for this session alone', async () => {
  const shells: ServerChannel[] = [];
  await using server = await startSshServer({
    onLogin: acceptPassword('right'),
    onShell: (channel) => shells.push(channel),
  });
  const session = createTestSession({ port: server.port, ...login, isOwner: false });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('host_key');
  terminal.send({ type: 'trust_host_key', trusted: true });
  await terminal.next('connected');
  shells[0]?.exit(0);
  shells[0]?.end();
  await terminal.next('failed');
  await using second = await openTerminal(session);
  second.start();
  await second.next('connected');
  expect(session.calls.filter((call) => call.startsWith('keep'))).toEqual([]);
});

test('a target that the user does not trust gets no password', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  const session = createTestSession({ port: server.port, ...login });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('host_key');
  terminal.send({ type: 'trust_host_key', trusted: false });
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'host-key-refused' });
  expect(server.attempts).toEqual([]);
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
  expect(session.calls.filter((call) => call.startsWith('keep'))).toEqual([]);
});

test('a target with another key than before gets no password, and both fingerprints are shown', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  const session = createTestSession({ port: server.port, ...login, hostKey: 'SHA256:before' });
  await using terminal = await openTerminal(session);
  terminal.start();
  expect(await terminal.next('host_key_changed')).toEqual({
    type: 'host_key_changed',
    known: 'SHA256:before',
    fingerprint: server.fingerprint,
  });
  expect(server.attempts).toEqual([]);
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
});

test('a target that shows a key which it does not have is refused, and the key is not pinned', async () => {
  const [shown, own] = [newKey(), newKey()];
  const hostKey = Object.assign(Object.create(shown), { sign: (data: Buffer) => own.sign(data) });
  await using server = await startSshServer({ hostKey });
  const session = createTestSession({ port: server.port, ...login });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('host_key');
  terminal.send({ type: 'trust_host_key', trusted: true });
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'protocol' });
  expect(server.attempts).toEqual([]);
  expect(session.calls.filter((call) => call.startsWith('keep'))).toEqual([]);
});
