import { type AppFailure } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { captureLog } from '../../../testing/capture-log.ts';
import { runBothWhileLocked } from '../../../testing/run-both-while-locked.ts';
import {
  appsPath,
  bodyOf,
  type CloudApps,
  openCloudApps,
  openGateway,
  openSession,
  sessionsPath,
  type TestGateway,
} from '../testing/open-cloud-apps.ts';

type Row = { endReason: AppFailure | null; bytesIn: number; bytesOut: number };

async function readSession({ db }: CloudApps, id: number): Promise<Row> {
  const columns = ['endReason', 'bytesIn', 'bytesOut'] as const;
  return await db.selectFrom('appSession').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

const endsOf = (gateway: TestGateway) => gateway.sent.filter(({ type }) => type === 'end');
const refused = (reason: AppFailure | null) => ({ ok: false, reason });

test('a gateway gets what it needs to know of a session, with the secrets in the clear', async () => {
  await using home = await openCloudApps();
  const secrets = { password: 'pw', private_key: 'key', passphrase: 'phrase' };
  const { id: appId } = await home.create({ secrets, options: { username: 'root' } });
  await home.addMember(appId);
  const [own, theirs] = [await openSession(home.owner, appId), await openSession(home.friend, appId)];
  await using gateway = openGateway(home);

  const session = {
    ...{ sessionId: own.id, appId, kind: 'ssh', host: '192.168.1.1', port: 22, hostKey: null, isOwner: true },
    ...{ accountId: home.userId, ownerId: home.userId },
    options: {
      username: 'root',
      domain: '',
      path: '',
      encoding: 'utf-8',
      name_encoding: 'auto',
      tls: false,
      mac: '',
      old_algorithms: false,
    },
    secrets: { password: 'pw', privateKey: 'key', passphrase: 'phrase' },
    visitorAddress: '127.0.0.1',
  };
  expect(await gateway.open(own)).toEqual({ ok: true, session });
  expect(await gateway.open(own)).toEqual({ ok: true, session }); // a second connection of the page
  const theirSession = { ...session, sessionId: theirs.id, accountId: home.friendId, isOwner: false };
  expect(await gateway.open(theirs)).toEqual({ ok: true, session: theirSession });
});

test('an unknown session, another session’s token and a malformed token are refused alike', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const [first, second] = [await openSession(home.owner, appId), await openSession(home.owner, appId)];
  await using gateway = openGateway(home);

  expect(await gateway.open({ id: 999_999, token: first.token })).toEqual(refused(null));
  expect(await gateway.open({ id: first.id, token: second.token })).toEqual(refused(null));
  expect(await gateway.open({ id: first.id, token: '' })).toEqual(refused(null));
  expect(await gateway.open({ id: first.id, token: '\u0000' })).toEqual(refused(null));
  expect(await readSession(home, first.id)).toMatchObject({ endReason: null });
});

/** What ends a session of a member, and the reason that the member sees. */
const ends: [
  string,
  AppFailure,
  (home: CloudApps, at: { appId: number; sessionId: number; memberId: number }) => unknown,
][] = [
  [
    'the member is removed',
    'right-ended',
    (home, { appId, memberId }) => home.owner.call('DELETE', `${appsPath}${appId}/members/${memberId}/`),
  ],
  [
    'the member logs out',
    'right-ended',
    (home) => home.db.deleteFrom('session').where('userId', '=', home.friendId).execute(),
  ],
  [
    'the member’s login expires',
    'right-ended',
    (home) =>
      home.db
        .updateTable('session')
        .set({ expiresAt: new Date(0) })
        .where('userId', '=', home.friendId)
        .execute(),
  ],
  ['the member’s account is disabled', 'right-ended', (home) => disable(home, home.friendId)],
  [
    'the member’s account is deleted',
    'right-ended',
    (home) => home.db.deleteFrom('userAccount').where('id', '=', home.friendId).execute(),
  ],
  ['the owner’s account is disabled', 'right-ended', (home) => disable(home, home.userId)],
  ['the app is deleted', 'right-ended', (home, { appId }) => home.owner.call('DELETE', `${appsPath}${appId}/`)],
  ['the app is disabled', 'right-ended', (home, { appId }) => change(home, appId, { enabled: false })],
  ['the device is deleted', 'right-ended', (home) => home.db.deleteFrom('device').execute()],
  ['the device is disabled', 'right-ended', (home) => home.db.updateTable('device').set({ enabled: false }).execute()],
  ['the target changes', 'changed', (home, { appId }) => change(home, appId, { port: 2222 })],
  ['an option changes', 'changed', (home, { appId }) => change(home, appId, { options: { username: 'root' } })],
  ['a secret changes', 'changed', (home, { appId }) => change(home, appId, { secrets: { password: 'x' } })],
  ['the second factor is needed', 'changed', (home, { appId }) => change(home, appId, { needs_second_factor: true })],
  [
    'the owner ends it',
    'ended-by-user',
    (home, { sessionId }) => home.owner.call('DELETE', `${sessionsPath}${sessionId}/`),
  ],
];

async function disable({ db }: CloudApps, userId: number): Promise<void> {
  await db.updateTable('userAccount').set({ disabledAt: new Date() }).where('id', '=', userId).execute();
}

async function change({ owner }: CloudApps, appId: number, patch: object): Promise<void> {
  bodyOf(await owner.call('PATCH', `${appsPath}${appId}/`, patch));
}

async function openAsMember(home: CloudApps) {
  const { id: appId } = await home.create();
  const memberId = await home.addMember(appId);
  const session = await openSession(home.friend, appId);
  return { session, at: { appId, memberId, sessionId: session.id } };
}

test.each(ends)('a session is cut, and cannot be opened any more, when %s (%s)', async (_what, reason, end) => {
  await using home = await openCloudApps();
  const { session, at } = await openAsMember(home);
  const waiting = await openSession(home.friend, at.appId); // its page has not reached the gateway yet
  await using gateway = openGateway(home);
  expect(await gateway.open(session)).toMatchObject({ ok: true });

  await end(home, at);
  await end(home, { ...at, sessionId: waiting.id });

  await expect.poll(() => endsOf(gateway)).toEqual([{ type: 'end', sessionId: session.id, reason }]);
  for (const ended of [session, waiting]) {
    expect(await gateway.open(ended)).toEqual(refused(reason));
    expect(await readSession(home, ended.id)).toMatchObject({ endReason: reason });
  }
});

test('the deletion of the owner’s account cuts the session, of which no record is left', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  await using gateway = openGateway(home);
  await gateway.open(session);

  await home.db.deleteFrom('userAccount').where('id', '=', home.userId).execute();

  const end = { type: 'end', sessionId: session.id, reason: 'right-ended' };
  await expect.poll(() => endsOf(gateway)).toEqual([end]);
});

test('what does not concern a session leaves it open', async () => {
  await using home = await openCloudApps();
  const { session, at } = await openAsMember(home);
  const other = await openSession(home.owner, at.appId);
  await using gateway = openGateway(home);
  await gateway.open(session);
  await gateway.open(other);

  await change(home, at.appId, { name: '新名字', needs_second_factor: false, enabled: true, port: 22 });
  bodyOf(await home.owner.call('DELETE', `${sessionsPath}${other.id}/`));

  // The other session is cut by a check that also saw this one.
  await expect.poll(() => endsOf(gateway)).toMatchObject([{ sessionId: other.id }]);
  expect(await readSession(home, session.id)).toMatchObject({ endReason: null });
});

test('a session that is ended while it is opened is refused or cut', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  await using gateway = openGateway(home);

  const [, result] = await Promise.all([
    home.owner.call('DELETE', `${sessionsPath}${session.id}/`),
    gateway.open(session),
  ]);

  if (result.ok) await expect.poll(() => endsOf(gateway)).toMatchObject([{ reason: 'ended-by-user' }]);
  else expect(result).toEqual(refused('ended-by-user'));
});

test('of two ends at once the first decides the reason', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  await using gateway = openGateway(home, { checkEveryMs: 60_000 });
  await gateway.open(session);

  const [ended] = await runBothWhileLocked(
    home.t,
    async (tx) => await tx.selectFrom('appSession').select('id').forUpdate().execute(),
    async () => await home.owner.call('DELETE', `${sessionsPath}${session.id}/`),
    async () => gateway.report({ type: 'ended', sessionId: session.id, reason: 'idle' }),
  );

  expect(ended).toMatchObject({ value: { status: 200 } });
  await gateway.link[Symbol.asyncDispose]();
  expect(await readSession(home, session.id)).toMatchObject({ endReason: 'ended-by-user' });
});

test('the bytes of a session add up, also those reported after its end', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  await using gateway = openGateway(home);
  await gateway.open(session);
  const usage = (bytesIn: number, bytesOut: number) => ({ sessionId: session.id, bytesIn, bytesOut });

  gateway.report({ type: 'usage', sessions: [usage(1, 2), usage(10, 20)] });
  gateway.report({ type: 'ended', sessionId: session.id, reason: 'closed' });
  gateway.report({ type: 'usage', sessions: [usage(100, 5_000_000_000), { ...usage(7, 7), sessionId: 999_999 }] });
  await gateway.link[Symbol.asyncDispose]();

  expect(await readSession(home, session.id)).toEqual({ endReason: 'closed', bytesIn: 111, bytesOut: 5_000_000_022 });
});

test('bytes that could not be stored are stored later', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  const { log, lines } = captureLog();
  await using gateway = openGateway(home, { log });
  await gateway.open(session);
  const entry = { sessionId: session.id, bytesIn: 1, bytesOut: 1 };

  // The column cannot hold the sum, so the first report fails.
  await sql`update app_session set bytes_in = 9223372036854775807`.execute(home.db);
  gateway.report({ type: 'usage', sessions: [entry] });
  await expect.poll(() => lines).toMatchObject([{ msg: 'the usage of app sessions could not be stored' }]);
  await sql`update app_session set bytes_in = 0`.execute(home.db);
  gateway.report({ type: 'usage', sessions: [entry] });
  await gateway.link[Symbol.asyncDispose]();

  expect(await readSession(home, session.id)).toMatchObject({ bytesIn: 2, bytesOut: 2 });
});

test('while the database does not answer, sessions go on and one line is logged; afterwards rights are checked again', async () => {
  await using home = await openCloudApps();
  const { session, at } = await openAsMember(home);
  const { log, lines } = captureLog();
  await using gateway = openGateway(home, { log });
  await gateway.open(session);

  await sql`alter table app_session rename to hidden`.execute(home.db);
  await expect.poll(() => lines).toMatchObject([{ msg: 'app sessions could not be checked' }]);
  expect(await gateway.open(session)).toEqual(refused('gateway-stopped'));
  expect(endsOf(gateway)).toEqual([]);
  await sql`alter table hidden rename to app_session`.execute(home.db);
  await change(home, at.appId, { enabled: false });

  await expect.poll(() => endsOf(gateway)).toMatchObject([{ reason: 'right-ended' }]);
  expect(lines.filter(({ msg }) => msg === 'app sessions could not be checked')).toHaveLength(1);
});

test('a host key counts for all apps of the same SSH server, but for none that asks for more than the app where it was seen', async () => {
  await using home = await openCloudApps();
  const confirmed = { needs_second_factor: true };
  const seen = await home.create({ kind: 'ssh', name: 'seen' });
  await home.create({ kind: 'sftp', name: 'same' });
  await home.create({ kind: 'sftp', name: 'protected', ...confirmed });
  await home.create({ kind: 'sftp', name: 'port', port: 2222, ...confirmed });
  await home.create({ kind: 'sftp', name: 'host', host: '192.168.1.2', ...confirmed });
  await home.create({ kind: 'vnc', name: 'kind', port: 22, ...confirmed });
  const session = await openSession(home.owner, seen.id);
  await using gateway = openGateway(home);
  await gateway.open(session);
  gateway.report({ type: 'host_key', sessionId: session.id, fingerprint: 'SHA256:first' });
  const keys = async () => {
    const rows = await home.db.selectFrom('cloudApp').select(['name', 'hostKey']).orderBy('id').execute();
    return rows.filter(({ hostKey }) => hostKey !== null).map(({ name, hostKey }) => [name, hostKey]);
  };
  const first = ['seen', 'same'].map((name) => [name, 'SHA256:first']);
  await expect.poll(keys).toEqual(first);

  await home.create({ kind: 'ssh', name: 'new but protected', ...confirmed });
  expect(await keys()).toEqual(first);
  await home.db.updateTable('cloudApp').set({ needsSecondFactor: false }).execute();
  expect(await home.create({ kind: 'sftp', name: 'new' })).toMatchObject({ host_key: 'SHA256:first' });
  expect(await home.create({ kind: 'sftp', name: 'other', port: 2223 })).toMatchObject({ host_key: null });
});

test('a host key is stored once, not by a member, and not by a session that began before the target changed', async () => {
  await using home = await openCloudApps();
  const { session: theirs, at } = await openAsMember(home);
  const session = await openSession(home.owner, at.appId);
  const hostKey = async () => {
    const row = await home.db.selectFrom('cloudApp').select('hostKey').executeTakeFirstOrThrow();
    return row.hostKey;
  };
  const reportKey = async (sessionId: number, fingerprint: string) => {
    await using gateway = openGateway(home, { checkEveryMs: 60_000 });
    gateway.report({ type: 'host_key', sessionId, fingerprint });
    await gateway.link[Symbol.asyncDispose]();
  };

  await reportKey(theirs.id, 'SHA256:theirs');
  expect(await hostKey()).toBeNull();
  await reportKey(session.id, 'SHA256:first');
  expect(await hostKey()).toBe('SHA256:first');
  await reportKey(session.id, 'SHA256:second');
  expect(await hostKey()).toBe('SHA256:first');
  await change(home, at.appId, { host_key: null });
  await reportKey(session.id, 'SHA256:late');
  expect(await hostKey()).toBeNull();
});

test('a session that a gateway has is not abandoned, however long nothing happens in it', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  await using gateway = openGateway(home);
  await gateway.open(session);
  await sql`update app_session set seen_at = now() - interval '59 seconds'`.execute(home.db);

  const age = async () => {
    const { rows } = await sql<{ age: number }>`
      select extract(epoch from now() - seen_at)::integer as age from app_session`.execute(home.db);
    return rows[0]?.age;
  };
  await expect.poll(age).toBeLessThan(10);
});

test('after a restart a gateway opens the session again', async () => {
  await using home = await openCloudApps();
  const { session } = await openAsMember(home);
  {
    await using gateway = openGateway(home);
    await gateway.open(session);
  }

  await using gateway = openGateway(home);
  expect(await gateway.open(session)).toMatchObject({ ok: true });
});

test('too many questions at once are answered busy, and the others in turn', async () => {
  await using home = await openCloudApps();
  await using gateway = openGateway(home);

  const results = await Promise.all(Array.from({ length: 250 }, () => gateway.open({ id: 1, token: 'x' })));

  const busy = results.filter((result) => !result.ok && result.reason === 'busy');
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.length).toBeLessThan(60);
  expect(results.filter((result) => !result.ok && result.reason === null)).toHaveLength(250 - busy.length);
});
