import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertPresence, insertRelay, insertServer, insertUser } from '../../testing/device-fixtures.ts';
import { AbsenceWatch } from './absence-watch.ts';
import type { AlertDetails } from './alert-details.ts';
import { addTestChannel } from './testing/alert-fixtures.ts';

const SECOND_MS = 1_000;
const start = new Date('2026-11-21T08:00:00.000Z');

/** An account with a channel and devices at one relay, and two watches whose clock the test advances. */
async function openHome(t: TestDb, { names = ['NAS'] }: { names?: string[] } = {}) {
  const { db } = t;
  const serverId = await insertServer(db);
  const userId = await insertUser(db, 'li');
  await insertRelay(db, { serverId });
  const ids: number[] = [];
  for (const name of names) {
    const deviceId = await insertDevice(db, { userId, serverId, name });
    ids.push(deviceId);
    await insertPresence(db, { deviceId });
  }
  const [first = 0] = ids;
  const channelId = await addTestChannel(db, userId);
  const longAgo = new Date('2026-01-01T00:00:00Z');
  await db.updateTable('device').set({ watchedFrom: longAgo }).execute();
  let wallClockMs = start.getTime() - 120 * SECOND_MS;
  const clock = async () => new Date(wallClockMs);
  const watches = [new AbsenceWatch(db, clock), new AbsenceWatch(db, clock)];
  const at = (seconds: number): Date => new Date(start.getTime() + seconds * SECOND_MS);
  const home = {
    userId,
    deviceId: first,
    ids,
    channelId,
    serverId,
    at,
    /** Both watches check at the same time, every 20 s until then. Seconds count from `start`. */
    async checkUntil(seconds: number): Promise<void> {
      while (wallClockMs < at(seconds).getTime()) {
        wallClockMs = Math.min(wallClockMs + 20 * SECOND_MS, at(seconds).getTime());
        await Promise.all(watches.map(async (watch) => await watch.check()));
      }
    },
    /** Advances the clock without a check. */
    passUnwatched(seconds: number): void {
      wallClockMs += seconds * SECOND_MS;
    },
    async disconnect(seconds: number, { deviceId = first, reason = 'connection_lost' } = {}): Promise<void> {
      const offline = { online: false, offlineReason: reason, changedAt: at(seconds) };
      await db.updateTable('devicePresence').set(offline).where('deviceId', '=', deviceId).execute();
    },
    async connect(seconds: number, deviceId = first): Promise<void> {
      const online = { online: true, offlineReason: null, changedAt: at(seconds) };
      await db.updateTable('devicePresence').set(online).where('deviceId', '=', deviceId).execute();
    },
    /** The deliveries of a channel, in order. */
    async listReports(channel = channelId): Promise<string[]> {
      const rows = await db
        .selectFrom('alertDelivery')
        .select('details')
        .where('channelId', '=', channel)
        .orderBy('id')
        .execute();
      return rows.map(({ details }) => {
        const one = details as AlertDetails; // the table holds what `insertDelivery` wrote
        return 'devices' in one ? `${one.event} ${one.devices.map(({ name }) => name).join(' ')}` : one.event;
      });
    },
  };
  await home.checkUntil(0);
  return home;
}

test('an absence and its end are each reported once after the owner’s minutes, however many processes watch', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);

  await home.disconnect(0);
  await home.checkUntil(299);
  expect(await home.listReports()).toEqual([]);
  await home.checkUntil(300);
  expect(await home.listReports()).toEqual(['device_offline NAS']);
  await home.checkUntil(700);
  expect(await home.listReports()).toEqual(['device_offline NAS']);

  await home.connect(700);
  await home.checkUntil(729);
  expect(await home.listReports()).toEqual(['device_offline NAS']);
  await home.checkUntil(800);
  expect(await home.listReports()).toEqual(['device_offline NAS', 'device_online NAS']);

  await home.disconnect(800);
  await home.checkUntil(1100);
  expect(await home.listReports()).toEqual(['device_offline NAS', 'device_online NAS', 'device_offline NAS']);
});

test('a delivery contains the device, the times and the reason', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const { uid } = await t.db.selectFrom('device').select('uid').executeTakeFirstOrThrow();

  await home.disconnect(5, { reason: 'no_heartbeat' });
  await home.checkUntil(400);
  await home.connect(425);
  await home.checkUntil(500);

  const rows = await t.db.selectFrom('alertDelivery').select('details').orderBy('id').execute();
  const device = { id: home.deviceId, uid, name: 'NAS', since: home.at(5).toISOString() };
  expect(rows.map(({ details }) => details)).toEqual([
    { event: 'device_offline', devices: [{ ...device, reason: 'no_heartbeat' }] },
    { event: 'device_online', devices: [{ ...device, back: home.at(425).toISOString() }] },
  ]);
});

test('a short absence, and devices that never connected, are disabled or are muted, are not reported', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['short', 'never', 'disabled', 'muted'] });
  const [short = 0, never = 0, disabled = 0, muted = 0] = home.ids;
  await t.db.deleteFrom('devicePresence').where('deviceId', '=', never).execute();
  await t.db.updateTable('device').set({ enabled: false }).where('id', '=', disabled).execute();
  await t.db.updateTable('device').set({ alertsEnabled: false }).where('id', '=', muted).execute();

  for (const deviceId of home.ids) await home.disconnect(0, { deviceId });
  await home.checkUntil(290);
  await home.connect(290, short);
  await home.checkUntil(1000);
  for (const deviceId of home.ids) await home.connect(1000, deviceId);
  await home.checkUntil(1100);

  expect(await home.listReports()).toEqual([]);
});

test('a device that reconnects again and again is reported once', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);

  await home.disconnect(0);
  await home.checkUntil(300);
  for (let turn = 0; turn < 5; turn++) {
    await home.connect(300 + turn * 320);
    await home.checkUntil(315 + turn * 320);
    await home.disconnect(316 + turn * 320);
    await home.checkUntil(620 + turn * 320);
  }

  expect(await home.listReports()).toEqual(['device_offline NAS']);
});

test('the owner chooses after how many minutes an absence is reported', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await t.db.updateTable('userAccount').set({ offlineAfterMinutes: 1 }).execute();

  await home.disconnect(0);
  await home.checkUntil(59);
  expect(await home.listReports()).toEqual([]);
  await home.checkUntil(60);

  expect(await home.listReports()).toEqual(['device_offline NAS']);
});

test('devices of one owner that disconnect and reconnect together are in one message', async () => {
  await using t = await openTestDb();
  const names = Array.from({ length: 12 }, (_, index) => `设备 ${String(index + 1).padStart(2, '0')}`);
  const home = await openHome(t, { names });

  for (const [index, deviceId] of home.ids.entries()) await home.disconnect(index, { deviceId });
  await home.checkUntil(320);
  expect(await home.listReports()).toEqual([`device_offline ${names.join(' ')}`]);

  for (const [index, deviceId] of home.ids.entries()) await home.connect(320 + index, deviceId);
  await home.checkUntil(400);
  expect(await home.listReports()).toEqual([`device_offline ${names.join(' ')}`, `device_online ${names.join(' ')}`]);
});

test('devices that disconnect one after another do not delay the first report without end', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: Array.from({ length: 20 }, (_, index) => `d${index}`) });

  for (const [index, deviceId] of home.ids.entries()) await home.disconnect(index * 10, { deviceId });
  await home.checkUntil(380);

  expect(await home.listReports()).toHaveLength(1);
  await home.checkUntil(600);
  expect((await home.listReports()).flatMap((report) => report.split(' ').slice(1)).toSorted()).toEqual(
    Array.from({ length: 20 }, (_, index) => `d${index}`).toSorted(),
  );
});

test('owners are notified of their own devices only', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const otherUserId = await insertUser(t.db, 'wang');
  const channel = await addTestChannel(t.db, otherUserId);

  await home.disconnect(0);
  await home.checkUntil(400);

  expect(await home.listReports()).toEqual(['device_offline NAS']);
  expect(await home.listReports(channel)).toEqual([]);
});

test('a failure for one owner does not keep others from being notified', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const otherUserId = await insertUser(t.db, 'wang');
  const deviceId = await insertDevice(t.db, { userId: otherUserId, serverId: home.serverId, name: 'A' });
  await insertPresence(t.db, { deviceId });
  const channel = await addTestChannel(t.db, otherUserId);
  await t.db
    .updateTable('device')
    .set({ watchedFrom: home.at(0) })
    .execute();
  const failing = sql.raw(`(channel_id <> ${channel})`);
  await sql`alter table alert_delivery add constraint failing check ${failing}`.execute(t.db);

  for (const id of [deviceId, home.deviceId]) await home.disconnect(0, { deviceId: id });
  await home.checkUntil(280);
  await expect(home.checkUntil(300)).rejects.toThrow('1 owners could not be notified');
  expect(await home.listReports()).toEqual(['device_offline NAS']);
  await home.connect(320);
  for (let seconds = 320; seconds <= 420; seconds += 20) await expect(home.checkUntil(seconds)).rejects.toThrow();
  expect(await home.listReports()).toEqual(['device_offline NAS', 'device_online NAS']);

  await sql`alter table alert_delivery drop constraint failing`.execute(t.db);
  await home.checkUntil(440);
  expect(await home.listReports(channel)).toEqual(['device_offline A']);
});

test('returns are reported even when absences cannot be', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['back', 'absent'] });
  const [back = 0, absent = 0] = home.ids;
  await home.disconnect(0, { deviceId: back });
  await home.checkUntil(320);
  await home.disconnect(320, { deviceId: absent });
  await home.connect(580, back);
  await home.checkUntil(600);
  const failing = sql.raw(`check (event <> 'device_offline') not valid`);
  await sql`alter table alert_delivery add constraint failing ${failing}`.execute(t.db);

  await expect(home.checkUntil(620)).rejects.toThrow('1 owners could not be notified');

  expect(await home.listReports()).toEqual(['device_offline back', 'device_online back']);
});

test('a slow check is not a gap in watching', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: home.at(0) })
    .execute();
  let wallClockMs = home.at(0).getTime();
  const watch = new AbsenceWatch(t.db, async () => new Date(wallClockMs));

  for (let round = 0; round < 8; round++) {
    const checking = watch.check();
    wallClockMs += 40 * SECOND_MS;
    await checking;
    wallClockMs += 10 * SECOND_MS;
  }

  expect(await home.listReports()).toEqual(['device_offline NAS']);
});

test('a channel reports the events it subscribes to, and a disabled channel none', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const online = await addTestChannel(t.db, home.userId, { events: ['device_online'] });
  const off = await addTestChannel(t.db, home.userId);
  await t.db.updateTable('alertChannel').set({ enabled: false }).where('id', '=', off).execute();

  await home.disconnect(0);
  await home.checkUntil(400);
  await home.connect(400);
  await home.checkUntil(500);

  expect(await home.listReports(online)).toEqual(['device_online NAS']);
  expect(await home.listReports(off)).toEqual([]);
});

test('a channel that is added during a reported absence reports neither it nor its end', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await t.db.deleteFrom('alertChannel').execute();
  await home.disconnect(0);
  await home.checkUntil(400);

  const late = await addTestChannel(t.db, home.userId);
  await home.checkUntil(800);
  await home.connect(800);
  await home.checkUntil(900);

  expect(await home.listReports(late)).toEqual([]);
});

test('devices of a lost relay are reported after the owner’s minutes, and as back when the relay is', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const lastSeenAt = home.at(0);
  await t.db.updateTable('relay').set({ lastSeenAt }).execute(); // long ago by the database's clock: the relay is lost

  await home.checkUntil(299);
  expect(await home.listReports()).toEqual([]);
  await home.checkUntil(300);
  expect(await home.listReports()).toEqual(['device_offline NAS']);

  await insertRelay(t.db, { serverId: home.serverId });
  await home.checkUntil(340);
  expect(await home.listReports()).toEqual(['device_offline NAS', 'device_online NAS']);
});

test('time in which no server watched does not count for relays that were lost or stopped', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['stopped', 'lost'] });
  const [stopped = 0] = home.ids;
  await home.disconnect(0, { deviceId: stopped, reason: 'relay_stopped' });
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: home.at(0) })
    .execute();

  home.passUnwatched(7200);
  await home.checkUntil(7220 + 299);
  expect(await home.listReports()).toEqual([]);
  await home.checkUntil(7220 + 300);

  expect(await home.listReports()).toEqual(['device_offline lost stopped']);
});

test('after a start, devices have a minute to reconnect before they are reported', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['back', 'away'] });
  const [back = 0, away = 0] = home.ids;
  for (const deviceId of [back, away]) await home.disconnect(0, { deviceId });

  home.passUnwatched(3600);
  await home.checkUntil(3600 + 40);
  await home.connect(3600 + 40, back);
  await home.checkUntil(3600 + 79);
  expect(await home.listReports()).toEqual([]);
  await home.checkUntil(3600 + 120);

  expect(await home.listReports()).toEqual(['device_offline away']);
});

test('the return of a device that was disabled or muted is not reported', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['disabled', 'muted'] });
  const [disabled = 0, muted = 0] = home.ids;
  for (const deviceId of home.ids) await home.disconnect(0, { deviceId });
  await home.checkUntil(320);
  expect(await home.listReports()).toEqual(['device_offline disabled muted']);

  await t.db.updateTable('device').set({ enabled: false }).where('id', '=', disabled).execute();
  await t.db.updateTable('device').set({ alertsEnabled: false }).where('id', '=', muted).execute();
  await home.checkUntil(400);
  for (const deviceId of home.ids) await home.connect(400, deviceId);
  await home.checkUntil(500);

  expect(await home.listReports()).toEqual(['device_offline disabled muted']);
});

test('the absence of a device that was enabled again counts from then', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.disconnect(-90);
  await t.db
    .updateTable('device')
    .set({ watchedFrom: home.at(100) })
    .execute();

  await home.checkUntil(399);
  expect(await home.listReports()).toEqual([]);
  await home.checkUntil(400);

  expect(await home.listReports()).toEqual(['device_offline NAS']);
});

test('a device that is disabled and enabled during its absence is reported again, with others', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['again', 'another'] });
  const [again = 0, another = 0] = home.ids;
  await home.disconnect(0, { deviceId: again });
  await home.checkUntil(300);
  await t.db.updateTable('device').set({ enabled: false }).where('id', '=', again).execute();
  await home.checkUntil(340);
  const enabled = { enabled: true, watchedFrom: home.at(340) };
  await t.db.updateTable('device').set(enabled).where('id', '=', again).execute();
  await home.disconnect(340, { deviceId: another });

  await home.checkUntil(640);

  expect(await home.listReports()).toEqual(['device_offline again', 'device_offline again another']);
});
