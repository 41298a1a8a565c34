import type { PresenceEvent } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertHome, insertRelay } from '../../../testing/device-fixtures.ts';
import { deleteOldConnections, listConnections } from '../../devices/index.ts';
import { recordHello, recordPresence } from './record-presence.ts';

const minuteMs = 60_000;
/** Yesterday: a history is kept for a while only. */
const startMs = Date.now() - 24 * 60 * minuteMs;

function online(deviceId: number, epoch: number, atMs = startMs, publicIp = '203.0.113.7'): PresenceEvent {
  return { online: true, deviceId, epoch, atMs, publicIp, agentVersion: '0.1.0', platform: 'linux-x64' };
}

function offline(deviceId: number, epoch: number, atMs: number): PresenceEvent {
  return { online: false, deviceId, epoch, atMs, reason: 'connection_lost' };
}

async function open() {
  const t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, { ...home, id: 'r1' });
  await insertRelay(t.db, { ...home, id: 'r2' });
  return { t, ...home, [Symbol.asyncDispose]: async () => await t[Symbol.asyncDispose]() };
}

/** The newest first, each as a line. */
async function historyOf(db: Db, deviceId: number): Promise<string[]> {
  const rows = await listConnections(db, deviceId);
  return rows.map(({ at, online: isOnline, offlineReason, publicIp }) => {
    const minute = Math.round((at.getTime() - startMs) / minuteMs);
    return `${minute} ${isOnline ? publicIp : offlineReason}`;
  });
}

test('the history says when a device came from where, and when and why it left its last relay', async () => {
  await using it = await open();
  const { deviceId: id } = it;
  await recordPresence(it.t.db, 'r1', [online(id, 1)]);
  await recordPresence(it.t.db, 'r2', [online(id, 1, startMs + minuteMs)]);
  await recordPresence(it.t.db, 'r1', [offline(id, 1, startMs + 2 * minuteMs)]);
  await recordPresence(it.t.db, 'r2', [offline(id, 1, startMs + 3 * minuteMs)]);
  await recordPresence(it.t.db, 'r2', [online(id, 2, startMs + 5 * minuteMs, '198.51.100.4')]);
  expect(await historyOf(it.t.db, id)).toEqual(['5 198.51.100.4', '3 connection_lost', '0 203.0.113.7']);
});

test('a device that was away while its relay was lost has that absence, one that stayed connected has none', async () => {
  await using it = await open();
  const { deviceId: id, userId: _, ...home } = it;
  await it.t.db.deleteFrom('relay').where('id', '=', 'r2').execute();
  await recordPresence(it.t.db, 'r1', [online(id, 1)]);
  // The server was stopped for two minutes; the device was connected all the time.
  const lose = async () => await insertRelay(it.t.db, { ...home, id: 'r1', silentSeconds: 120 });
  await lose();
  await recordHello(it.t.db, { relayId: 'r1', bootId: 'b', online: [online(id, 1)] }, 'localhost');
  expect(await historyOf(it.t.db, id)).toEqual(['0 203.0.113.7']);
  // The relay crashed; the device connected to its next start a moment ago.
  await lose();
  await recordHello(it.t.db, { relayId: 'r1', bootId: 'c', online: [online(id, 2, Date.now())] }, 'localhost');
  const history = await historyOf(it.t.db, id);
  expect(history.map((line) => line.replace(/^\d+ /, ''))).toEqual(['203.0.113.7', 'relay_lost', '203.0.113.7']);
});

test('a device that connects all the time keeps its last 200 changes, and old ones are deleted', async () => {
  await using it = await open();
  const { deviceId: id } = it;
  for (let epoch = 1; epoch <= 102; epoch++) {
    const atMs = startMs + epoch * minuteMs;
    await recordPresence(it.t.db, 'r1', [online(id, epoch, atMs)]);
    await recordPresence(it.t.db, 'r1', [offline(id, epoch, atMs)]);
  }
  expect(await it.t.db.selectFrom('deviceConnection').select('number').execute()).toHaveLength(200);
  expect((await historyOf(it.t.db, id))[0]).toBe('102 connection_lost');
  await it.t.db
    .updateTable('deviceConnection')
    .set({ at: new Date(Date.now() - 91 * 86_400_000) })
    .where('number', '<=', 203)
    .execute();
  await deleteOldConnections(it.t.db);
  expect(await listConnections(it.t.db, id)).toHaveLength(1);
});
