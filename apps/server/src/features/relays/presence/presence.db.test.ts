import type { PresenceEvent } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertHome, insertRelay } from '../../../testing/device-fixtures.ts';
import { recordHello, recordPresence, recordRelayStop } from './record-presence.ts';
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

/** The next live event. */
async function nextLiveEvent(t: TestDb): Promise<{ get: () => Promise<unknown> }> {
  const event = Promise.withResolvers<string>();
  await t.listen('live', event.resolve, () => undefined);
  return { get: async () => JSON.parse(await event.promise) as unknown };
}

test('a device that connects is online, and its owner is notified', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  const event = await nextLiveEvent(t);

  await recordPresence(t.db, 'r1', [online(home.deviceId, 5)]);

  expect(await presenceOf(t.db, home.deviceId)).toEqual({
    relayId: 'r1',
    epoch: 5,
    online: true,
    offlineReason: null,
    publicIp: '203.0.113.7',
    changedAt: new Date(atMs),
  });
  expect(await event.get()).toEqual({ userId: home.userId, topic: 'devices' });
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

test('a device that reconnects is online in whichever order its two events arrive', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);

  await recordPresence(t.db, 'r1', [online(deviceId, 1), online(deviceId, 2), offline(deviceId, 1)]);
  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true, epoch: 2 });
  await recordPresence(t.db, 'r1', [offline(deviceId, 1)]);
  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true, epoch: 2 });
});

test('a device that came and went within one message has an offline reason', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);

  await recordPresence(t.db, 'r1', [online(deviceId, 3), offline(deviceId, 3, 'agent_stopped')]);

  const expected = { online: false, offlineReason: 'agent_stopped', publicIp: '203.0.113.7' };
  expect(await presenceOf(t.db, deviceId)).toMatchObject(expected);
});

test('events of devices that do not exist are ignored', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);

  await recordPresence(t.db, 'r1', [online(999_999, 1), offline(999_998, 1), online(deviceId, 1)]);

  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true });
  expect(await presenceOf(t.db, 999_999)).toBeUndefined();
});

test('text that PostgreSQL cannot store is cleaned, and times in the future are set to now', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  const malformed = {
    publicIp: '203.0\u0000.113.7',
    agentVersion: `\ud800${'9'.repeat(99)}`,
    platform: 'x'.repeat(999),
  };

  await recordPresence(t.db, 'r1', [{ ...online(deviceId, 1, malformed), atMs: atMs * 2 }]);

  const presence = await presenceOf(t.db, deviceId);
  expect(presence?.publicIp).toBe('203.0.113.7');
  expect(presence?.changedAt.getTime()).toBeLessThan(atMs * 2);
});

test('after a hello exactly the devices it lists are online at the relay', async () => {
  await using t = await openTestDb();
  const { deviceId: stayed, ...home } = await insertHome(t.db);
  const lost = await insertDevice(t.db, home);
  const came = await insertDevice(t.db, home);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(stayed, 1), online(lost, 2)]);

  await recordHello(t.db, { relayId: 'r1', bootId: 'b', online: [online(stayed, 1), online(came, 9)] }, 'localhost');

  expect(await presenceOf(t.db, stayed)).toMatchObject({ online: true, epoch: 1 });
  expect(await presenceOf(t.db, lost)).toMatchObject({ online: false, offlineReason: 'relay_lost' });
  expect(await presenceOf(t.db, came)).toMatchObject({ online: true, epoch: 9 });
});

test('a relay that was disconnected can report later when and why a device went offline', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(deviceId, 1)]);
  await recordHello(t.db, { relayId: 'r1', bootId: 'b', online: [] }, 'localhost');

  await recordPresence(t.db, 'r1', [offline(deviceId, 1, 'agent_stopped')]);

  const reported = { online: false, offlineReason: 'agent_stopped', changedAt: new Date(atMs) };
  expect(await presenceOf(t.db, deviceId)).toMatchObject(reported);
});

test('a connection is online again after its relay was recorded as stopped', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(deviceId, 4)]);
  await recordRelayStop(t.db, 'r1');
  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: false, offlineReason: 'relay_stopped' });

  await recordHello(t.db, { relayId: 'r1', bootId: 'b', online: [online(deviceId, 4)] }, 'localhost');

  expect(await presenceOf(t.db, deviceId)).toMatchObject({ online: true, epoch: 4, offlineReason: null });
});

test('owners are notified when a relay is lost and when it is back, but not while nothing changes', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  await recordPresence(t.db, 'r1', [online(home.deviceId, 1)]);
  await using watch = new RelayWatch({ db: t.db, log: pino({ level: 'silent' }) });
  const events: string[] = [];
  const listener = { notify: (): void => undefined };
  await t.listen(
    'live',
    (payload) => (events.push(payload), listener.notify()),
    () => undefined,
  );
  const nextEvent = (): Promise<void> => new Promise((resolve) => (listener.notify = resolve));

  await watch.check();
  await watch.check();
  const lost = nextEvent();
  await insertRelay(t.db, { ...home, silentSeconds: 16 });
  await watch.check();
  await lost;
  expect(events).toHaveLength(1);
  const back = nextEvent();
  await insertRelay(t.db, home);
  await watch.check();
  await back;
  expect(events.map((payload) => JSON.parse(payload))).toEqual(
    Array(2).fill({ userId: home.userId, topic: 'devices' }),
  );
});
