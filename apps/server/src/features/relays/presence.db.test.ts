import type { PresenceEvent } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertRelay } from '../../testing/device-fixtures.ts';
import { greetRelay, recordPresence, recordRelayStop } from './record-presence.ts';
import { RelayWatch } from './relay-watch.ts';
import { pino } from 'pino';

const atMs = Date.parse('2026-11-21T08:00:00Z');

function online(deviceId: number, epoch: number, changes: object = {}): PresenceEvent {
  const facts = { publicIp: '203.0.113.7', agentVersion: '0.1.0', platform: 'linux-x64', ...changes };
  return { online: true, deviceId, epoch, atMs, ...facts };
}

function offline(
  deviceId: number,
  epoch: number,
  reason: 'agent_stopped' | 'connection_lost' = 'connection_lost',
): PresenceEvent {
  return { online: false, deviceId, epoch, atMs, reason };
}

async function presenceOf(db: Db, deviceId: number) {
  return await db
    .selectFrom('devicePresence')
    .where('deviceId', '=', deviceId)
    .select(['relayId', 'epoch', 'online', 'offlineReason', 'publicIp', 'changedAt'])
    .executeTakeFirst();
}

/** The next live notice. */
async function nextNotice(t: TestDb): Promise<{ get: () => Promise<unknown> }> {
  const notice = Promise.withResolvers<string>();
  await t.listen('live', notice.resolve, () => undefined);
  return { get: async () => JSON.parse(await notice.promise) as unknown };
}

test('a device that comes is online and its owner hears of it', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  const notice = await nextNotice(t);

  await recordPresence(t.db, 'r1', [online(home.deviceId, 5)]);

  expect(await presenceOf(t.db, home.deviceId)).toEqual({
    relayId: 'r1',
    epoch: 5,
    online: true,
    offlineReason: null,
    publicIp: '203.0.113.7',
    changedAt: new Date(atMs),
  });
  expect(await notice.get()).toEqual({ userId: home.userId, topic: 'devices' });
});

test('events of an older connection change nothing', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(deviceId, 7)]);
  const before = await presenceOf(t.db, deviceId);

  await recordPresence(t.db, 'r1', [offline(deviceId, 6), online(deviceId, 5, { publicIp: '198.51.100.1' })]);

  expect(await presenceOf(t.db, deviceId)).toEqual(before);
});

test('a device that reconnects is online whichever of its two events comes last', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);

  await recordPresence(t.db, 'r1', [online(deviceId, 1), online(deviceId, 2), offline(deviceId, 1)]);
  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true, epoch: 2 });
  await recordPresence(t.db, 'r1', [offline(deviceId, 1)]);
  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true, epoch: 2 });
});

test('a device that came and went within one message is known to have been here', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);

  await recordPresence(t.db, 'r1', [online(deviceId, 3), offline(deviceId, 3, 'agent_stopped')]);

  const gone = { online: false, offlineReason: 'agent_stopped', publicIp: '203.0.113.7' };
  expect(await presenceOf(t.db, deviceId)).toMatchObject(gone);
});

test('a device that does not exist any more is passed over', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);

  await recordPresence(t.db, 'r1', [online(999_999, 1), offline(999_998, 1), online(deviceId, 1)]);

  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true });
  expect(await presenceOf(t.db, 999_999)).toBeUndefined();
});

test('text that PostgreSQL cannot keep is cleaned, and a clock ahead of ours is not believed', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  const strange = { publicIp: '203.0\u0000.113.7', agentVersion: `\ud800${'9'.repeat(99)}`, platform: 'x'.repeat(999) };

  await recordPresence(t.db, 'r1', [{ ...online(deviceId, 1, strange), atMs: atMs * 2 }]);

  const presence = await presenceOf(t.db, deviceId);
  expect(presence?.publicIp).toBe('203.0.113.7');
  expect(presence?.changedAt.getTime()).toBeLessThan(atMs * 2);
});

test('a greeting relay brings back what is there and ends what is not', async () => {
  await using t = await openTestDb();
  const { deviceId: stayed, ...home } = await insertHome(t.db);
  const lost = await insertDevice(t.db, home);
  const came = await insertDevice(t.db, home);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(stayed, 1), online(lost, 2)]);

  await greetRelay(t.db, { relayId: 'r1', bootId: 'b', online: [online(stayed, 1), online(came, 9)] }, 'localhost');

  expect(await presenceOf(t.db, stayed)).toMatchObject({ online: true, epoch: 1 });
  expect(await presenceOf(t.db, lost)).toMatchObject({ online: false, offlineReason: 'relay_lost' });
  expect(await presenceOf(t.db, came)).toMatchObject({ online: true, epoch: 9 });
});

test('a relay that was away tells afterwards when and why a device went', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(deviceId, 1)]);
  await greetRelay(t.db, { relayId: 'r1', bootId: 'b', online: [] }, 'localhost');

  await recordPresence(t.db, 'r1', [offline(deviceId, 1, 'agent_stopped')]);

  const told = { online: false, offlineReason: 'agent_stopped', changedAt: new Date(atMs) };
  expect(await presenceOf(t.db, deviceId)).toMatchObject(told);
});

test('the same connection comes back online after its relay was thought to be stopped', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(deviceId, 4)]);
  await recordRelayStop(t.db, 'r1');
  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: false, offlineReason: 'relay_stopped' });

  await greetRelay(t.db, { relayId: 'r1', bootId: 'b', online: [online(deviceId, 4)] }, 'localhost');

  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true, epoch: 4, offlineReason: null });
});

test('owners hear when a relay vanishes and when it is back, but not while nothing changes', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(home.deviceId, 1)]);
  await using watch = new RelayWatch({ db: t.db, log: pino({ level: 'silent' }) });
  const notices: string[] = [];
  const bell = { ring: (): void => undefined };
  await t.listen(
    'live',
    (payload) => (notices.push(payload), bell.ring()),
    () => undefined,
  );
  const ringing = (): Promise<void> => new Promise((resolve) => (bell.ring = resolve));

  await watch.check();
  await watch.check();
  const lost = ringing();
  await insertRelay(t.db, { ...home, silentSeconds: 16 });
  await watch.check();
  await lost;
  expect(notices).toHaveLength(1);
  const back = ringing();
  await insertRelay(t.db, home);
  await watch.check();
  await back;
  expect(notices.map((payload) => JSON.parse(payload))).toEqual(
    Array(2).fill({ userId: home.userId, topic: 'devices' }),
  );
});
