import { expect, test } from 'vitest';
import type { SFTPWrapper } from 'ssh2';
import { startSshServer, type TestSshServer } from '../../testing/start-ssh-server.ts';
import { createTestSession, type TestSession } from '../../testing/test-session.ts';
import { listAll } from '../testing/file-system-suite.ts';
import { openSftp } from './sftp-file-system.ts';

const soon = { answerTimeoutMs: 300 };
const timedOut = { name: 'TargetError', code: 'timed-out' };

function createSession({ port, fingerprint }: TestSshServer): TestSession {
  const options = { username: 'u', path: '/' };
  return createTestSession({ kind: 'sftp', port, hostKey: fingerprint, secrets: { password: 'p' }, options });
}

test('a target that opens no SFTP, and does not say so, has timed out, and its connection is closed', async () => {
  await using server = await startSshServer({ hasSilentSftp: true });
  const session = createSession(server);
  await expect(openSftp({ session, typed: {} }, soon)).rejects.toMatchObject(timedOut);
  await expect.poll(() => session.streams.every(({ destroyed }) => destroyed)).toBe(true);
});

test('a target without SFTP is distinguished from one that does not answer', async () => {
  await using server = await startSshServer();
  const refused = openSftp({ session: createSession(server), typed: {} });
  await expect(refused).rejects.toMatchObject({ name: 'TargetError', code: 'protocol' });
});

test('a target that stops answering has timed out for all who wait, and its connection is closed', async () => {
  await using server = await startSshServer({ onSftp: ignoreAll });
  const session = createSession(server);
  const fileSystem = await openSftp({ session, typed: {} }, soon);
  const calls = [fileSystem.stat('/a'), listAll(fileSystem, '/'), fileSystem.deleteFile('/b')];
  const outcomes = await Promise.allSettled(calls);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: timedOut });
  expect(session.streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  await expect.poll(() => fileSystem.isClosed).toBe(true);
});

test('a target that has only ended its direction is lost for all who wait, and its connection is closed', async () => {
  await using server = await startSshServer({ onSftp: ignoreAll });
  const session = createSession(server);
  const fileSystem = await openSftp({ session, typed: {} });
  const outcome = Promise.allSettled([fileSystem.stat('/a'), fileSystem.deleteFile('/b')]);
  session.streams[0]?.push(null);
  for (const each of await outcome) expect(each).toMatchObject({ reason: { name: 'TargetError', code: 'lost' } });
  expect(session.streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(fileSystem.isClosed).toBe(true);
});

function ignoreAll(files: SFTPWrapper): void {
  files.on('error', () => {}); // the client may hang up
  for (const request of ['LSTAT', 'STAT', 'OPENDIR', 'REMOVE'] as const) files.on(request, () => {});
}
