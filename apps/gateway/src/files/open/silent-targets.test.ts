import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestSession } from '../../testing/test-session.ts';
import { openFileSystem } from './open-file-system.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test.each(['smb', 'webdav'] as const)('a target of %s that never answers has timed out', async (kind) => {
  const target = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  const options = { username: 'u', path: '/' };
  const session = createTestSession({ kind, port: 1, options, secrets: { password: 'p' } }, () => target);
  const failure = openFileSystem(session, {}, undefined).catch((error: unknown) => error);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await failure).toMatchObject({ name: 'TargetError', code: 'timed-out' });
  expect(target.destroyed).toBe(true);
});
