import type { PresenceEvent } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertHome, insertRelay } from '../../../testing/device-fixtures.ts';
import { deviceStateOf, findDevice } from '../../devices/index.ts';
import { announceDeviceList } from '../../live/index.ts';
import { deleteStalePresence } from './presence-store.ts';
import { recordHello, recordPresence, recordRelayStop } from './record-presence.ts';
import { RelayWatch } from './relay-watch.ts';

const onlineAtMs = Date.parse('2026-11-21T08:00:00Z');

function online(deviceId: number, epoch: number, atMs = onlineAtMs): PresenceEvent {
  const facts = { publicIp: '203.0.113.7', agentVersion: '0.1.0', platform: 'linux-x64' };
  return { online: true, deviceId, epoch, atMs, ...facts };
}

function offline(
  deviceId: number,
  epoch: number,
  atMs: number,
  reason: 'agent_stopped' | 'no_heartbeat',
): PresenceEvent {
  return { online: false, deviceId, epoch, atMs, reason };
}

/** Inserts a device in a region with two relays. */
async function insertHomeWithRelays(db: Db) {
  const home = await insertHome(db);
  await insertRelay(db, { ...home, id: 'r1' });
  await insertRelay(db, { ...home, id: 'r2' });
  return home;
}

async function stateOf(db: Db, deviceId: number) {
  const device = await findDevice(db, deviceId);
  if (device === undefined) throw new Error('the device does not exist');
  return { ...deviceStateOf(device), relayIds: device.relayIds };
}

/** Counts the live events that the action causes, up to a last one that this function sends. */
async function countLiveEvents(t: TestDb, userId: number, act: () => Promise<void>): Promise<number> {
  const LAST_USER = userId + 1_000;
  const last = Promise.withResolvers<void>();
  let count = 0;
  await using _listening = await t.listen(
    'live',
    (payload) => {
      const event = JSON.parse(payload) as { userId: number };
      if (event.userId === LAST_USER) last.resolve();
      else if (event.userId === userId) count++;
    },
    () => undefined,
  );
  await act();
  await announceDeviceList(t.db, [LAST_USER]);
  await last.promise;
  return count;
}

test('a device is online while any relay has it, then offline with time and reason of leaving the last relay', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHomeWithRelays(t.db);

  await recordPresence(t.db, 'r1', [online(deviceId, 5)]);
  await recordPresence(t.db, 'r2', [online(deviceId, 3, onlineAtMs + 60_000)]);
  const since = new Date(onlineAtMs);
  expect(await stateOf(t.db, deviceId)).toMatchObject({ state: 'online', since, relayIds: ['r1', 'r2'] });

  await recordPresence(t.db, 'r1', [offline(deviceId, 5, onlineAtMs + 90_000, 'no_heartbeat')]);
  expect(await stateOf(t.db, deviceId)).toMatchObject({ state: 'online', since, relayIds: ['r2'] });

  await recordPresence(t.db, 'r2', [offline(deviceId, 3, onlineAtMs + 95_000, 'agent_stopped')]);
  expect(await stateOf(t.db, deviceId)).toEqual({
    state: 'offline',
    since: new Date(onlineAtMs + 95_000),
    offlineReason: 'agent_stopped',
    relayIds: [],
  });
});

test('epochs of different relays are independent', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHomeWithRelays(t.db);
  await recordPresence(t.db, 'r1', [online(deviceId, 100)]);

  await recordPresence(t.db, 'r2', [online(deviceId, 1)]);
  await recordPresence(t.db, 'r2', [offline(deviceId, 200, onlineAtMs, 'no_heartbeat')]);

  expect(await stateOf(t.db, deviceId)).toMatchObject({ state: 'online', relayIds: ['r1'] });
});

test('a device keeps its online time while its relays restart one after the other', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHomeWithRelays(t.db);
  await recordPresence(t.db, 'r1', [online(deviceId, 1)]);
  await recordPresence(t.db, 'r2', [online(deviceId, 1, onlineAtMs + 10)]);

  for (const [index, relayId] of ['r1', 'r2'].entries()) {
    await recordRelayStop(t.db, relayId);
    expect(await stateOf(t.db, deviceId)).toMatchObject({ state: 'online' });
    const back = online(deviceId, 2, onlineAtMs + 60_000 * (index + 1));
    await recordHello(t.db, { relayId, bootId: 'next', online: [back] }, 'localhost');
  }

  const since = new Date(onlineAtMs);
  expect(await stateOf(t.db, deviceId)).toMatchObject({ state: 'online', since, relayIds: ['r1', 'r2'] });
});

test('a relay without heartbeats is ignored while another relay has the device', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHomeWithRelays(t.db);
  await recordPresence(t.db, 'r1', [online(deviceId, 1)]);
  await recordPresence(t.db, 'r2', [online(deviceId, 1)]);

  await insertRelay(t.db, { ...home, id: 'r1', silentSeconds: 60 });
  expect(await stateOf(t.db, deviceId)).toMatchObject({ state: 'online', relayIds: ['r2'] });

  await insertRelay(t.db, { ...home, id: 'r2', silentSeconds: 40 });
  const lastSeen = await t.db.selectFrom('relay').where('id', '=', 'r2').select('lastSeenAt').executeTakeFirstOrThrow();
  expect(await stateOf(t.db, deviceId)).toEqual({
    state: 'offline',
    since: lastSeen.lastSeenAt,
    offlineReason: 'relay_lost',
    relayIds: [],
  });
});

test('owners are notified when a device goes online or offline, not of each connection', async () => {
  await using t = await openTestDb();
  const { deviceId, userId } = await insertHomeWithRelays(t.db);

  const wentOnline = await countLiveEvents(t, userId, async () => {
    await recordPresence(t.db, 'r1', [online(deviceId, 1)]);
    await recordPresence(t.db, 'r2', [online(deviceId, 1)]);
    await recordHello(t.db, { relayId: 'r2', bootId: 'b', online: [online(deviceId, 1)] }, 'localhost');
    await recordRelayStop(t.db, 'r1');
  });
  const wentOffline = await countLiveEvents(t, userId, async () => {
    await recordPresence(t.db, 'r2', [offline(deviceId, 1, onlineAtMs, 'no_heartbeat')]);
  });

  expect([wentOnline, wentOffline]).toEqual([1, 1]);
});

test('with two racing relays owners are notified exactly once each time a device goes online or offline', async () => {
  await using t = await openTestDb();
  const { deviceId, userId } = await insertHomeWithRelays(t.db);
  const ROUNDS = 15;

  const count = await countLiveEvents(t, userId, async () => {
    for (let epoch = 1; epoch <= ROUNDS; epoch++) {
      await Promise.all(['r1', 'r2'].map((relayId) => recordPresence(t.db, relayId, [online(deviceId, epoch)])));
      const event = offline(deviceId, epoch, onlineAtMs, 'no_heartbeat');
      await Promise.all(['r1', 'r2'].map((relayId) => recordPresence(t.db, relayId, [event])));
    }
  });

  expect(count).toBe(2 * ROUNDS);
});

test('relays that report the same devices in different orders do not deadlock', async () => {
  await using t = await openTestDb();
  const home = await insertHomeWithRelays(t.db);
  const ids: number[] = [];
  for (let index = 0; index < 40; index++) ids.push(await insertDevice(t.db, home));

  for (let epoch = 1; epoch <= 5; epoch++) {
    await Promise.all([
      recordPresence(
        t.db,
        'r1',
        ids.map((id) => online(id, epoch)),
      ),
      recordPresence(
        t.db,
        'r2',
        ids.toReversed().map((id) => online(id, epoch)),
      ),
      recordHello(t.db, { relayId: 'r2', bootId: 'b', online: ids.map((id) => online(id, epoch)) }, 'localhost'),
    ]);
  }

  const rows = await t.db.selectFrom('devicePresence').where('online', '=', true).select(['epoch']).execute();
  expect(rows).toEqual(Array(80).fill({ epoch: 5 }));
});

test('owners are not notified when one of two relays is lost, but when both are', async () => {
  await using t = await openTestDb();
  const { deviceId, userId, ...home } = await insertHomeWithRelays(t.db);
  await recordPresence(t.db, 'r1', [online(deviceId, 1)]);
  await recordPresence(t.db, 'r2', [online(deviceId, 1)]);
  await using watch = new RelayWatch({ db: t.db, log: pino({ level: 'silent' }) });
  await watch.check();

  const first = await countLiveEvents(t, userId, async () => {
    await insertRelay(t.db, { ...home, id: 'r1', silentSeconds: 60 });
    await watch.check();
  });
  const second = await countLiveEvents(t, userId, async () => {
    await insertRelay(t.db, { ...home, id: 'r2', silentSeconds: 60 });
    await watch.check();
  });

  expect([first, second]).toEqual([0, 1]);
});

test('presence at a relay that has been lost for a day is deleted if the device was at another relay since', async () => {
  await using t = await openTestDb();
  const { deviceId, ...home } = await insertHomeWithRelays(t.db);
  const stayed = await insertDevice(t.db, home);
  await recordPresence(t.db, 'r1', [online(deviceId, 1), online(stayed, 1)]);
  await recordPresence(t.db, 'r2', [online(deviceId, 1)]);
  await t.db.updateTable('devicePresence').where('relayId', '=', 'r2').set({ changedAt: new Date() }).execute();
  await insertRelay(t.db, { ...home, id: 'r1', silentSeconds: 90_000 });

  await deleteStalePresence(t.db);

  const rows = await t.db.selectFrom('devicePresence').orderBy('deviceId').select(['deviceId', 'relayId']).execute();
  expect(rows).toEqual([
    { deviceId, relayId: 'r2' },
    { deviceId: stayed, relayId: 'r1' },
  ]);
});
