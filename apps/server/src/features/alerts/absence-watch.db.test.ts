import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertPresence, insertRelay, insertServer, insertUser } from '../../testing/device-fixtures.ts';
import { AbsenceWatch } from './absence-watch.ts';
import type { AlertDetails } from './alert-details.ts';
import { addTestChannel } from './testing/alert-fixtures.ts';

const SECOND_MS = 1_000;
const start = new Date('2026-11-21T08:00:00.000Z');

/** An account with channels, devices at one relay, and two watching processes whose clock the test moves. */
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
    /** Everybody looks at the same moment, each 20 s until then. Seconds count from `start`. */
    async lookUntil(seconds: number): Promise<void> {
      while (wallClockMs < at(seconds).getTime()) {
        wallClockMs = Math.min(wallClockMs + 20 * SECOND_MS, at(seconds).getTime());
        await Promise.all(watches.map(async (watch) => await watch.look()));
      }
    },
    /** Nobody looks for so long. */
    passUnwatched(seconds: number): void {
      wallClockMs += seconds * SECOND_MS;
    },
    async goes(seconds: number, { deviceId = first, reason = 'connection_lost' } = {}): Promise<void> {
      const away = { online: false, offlineReason: reason, changedAt: at(seconds) };
      await db.updateTable('devicePresence').set(away).where('deviceId', '=', deviceId).execute();
    },
    async comes(seconds: number, deviceId = first): Promise<void> {
      const here = { online: true, offlineReason: null, changedAt: at(seconds) };
      await db.updateTable('devicePresence').set(here).where('deviceId', '=', deviceId).execute();
    },
    /** What was written down to be told by the channel, in order. */
    async told(channel = channelId): Promise<string[]> {
      const rows = await db
        .selectFrom('alertDelivery')
        .select('details')
        .where('channelId', '=', channel)
        .orderBy('id')
        .execute();
      return rows.map(({ details }) => {
        const one = details as AlertDetails; // as it was written
        return 'devices' in one ? `${one.event} ${one.devices.map(({ name }) => name).join(' ')}` : one.event;
      });
    },
  };
  await home.lookUntil(0);
  return home;
}

test('a device that is away for the owner’s minutes is told once, and once that it is back, however many watch', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);

  await home.goes(0);
  await home.lookUntil(299);
  expect(await home.told()).toEqual([]);
  await home.lookUntil(300);
  expect(await home.told()).toEqual(['device_offline NAS']);
  await home.lookUntil(700);
  expect(await home.told()).toEqual(['device_offline NAS']);

  await home.comes(700);
  await home.lookUntil(729);
  expect(await home.told()).toEqual(['device_offline NAS']);
  await home.lookUntil(800);
  expect(await home.told()).toEqual(['device_offline NAS', 'device_online NAS']);

  await home.goes(800);
  await home.lookUntil(1100);
  expect(await home.told()).toEqual(['device_offline NAS', 'device_online NAS', 'device_offline NAS']);
});

test('what is told holds the device, since when and why it is away, and until when it was', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const { uid } = await t.db.selectFrom('device').select('uid').executeTakeFirstOrThrow();

  await home.goes(5, { reason: 'no_heartbeat' });
  await home.lookUntil(400);
  await home.comes(425);
  await home.lookUntil(500);

  const rows = await t.db.selectFrom('alertDelivery').select('details').orderBy('id').execute();
  const device = { id: home.deviceId, uid, name: 'NAS', since: home.at(5).toISOString() };
  expect(rows.map(({ details }) => details)).toEqual([
    { event: 'device_offline', devices: [{ ...device, reason: 'no_heartbeat' }] },
    { event: 'device_online', devices: [{ ...device, back: home.at(425).toISOString() }] },
  ]);
});

test('a short absence, a device that was never here, a disabled and a muted one are not told', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['short', 'never', 'disabled', 'muted'] });
  const [short = 0, never = 0, disabled = 0, muted = 0] = home.ids;
  await t.db.deleteFrom('devicePresence').where('deviceId', '=', never).execute();
  await t.db.updateTable('device').set({ enabled: false }).where('id', '=', disabled).execute();
  await t.db.updateTable('device').set({ alertsEnabled: false }).where('id', '=', muted).execute();

  for (const deviceId of home.ids) await home.goes(0, { deviceId });
  await home.lookUntil(290);
  await home.comes(290, short);
  await home.lookUntil(1000);
  for (const deviceId of home.ids) await home.comes(1000, deviceId);
  await home.lookUntil(1100);

  expect(await home.told()).toEqual([]);
});

test('a device that comes and goes all the time is not told with every turn', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);

  await home.goes(0);
  await home.lookUntil(300);
  for (let turn = 0; turn < 5; turn++) {
    await home.comes(300 + turn * 320);
    await home.lookUntil(315 + turn * 320);
    await home.goes(316 + turn * 320);
    await home.lookUntil(620 + turn * 320);
  }

  expect(await home.told()).toEqual(['device_offline NAS']);
});

test('the owner chooses the minutes', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await t.db.updateTable('userAccount').set({ offlineAfterMinutes: 1 }).execute();

  await home.goes(0);
  await home.lookUntil(59);
  expect(await home.told()).toEqual([]);
  await home.lookUntil(60);

  expect(await home.told()).toEqual(['device_offline NAS']);
});

test('devices of one owner that go and come together are one message', async () => {
  await using t = await openTestDb();
  const names = Array.from({ length: 12 }, (_, index) => `设备 ${String(index + 1).padStart(2, '0')}`);
  const home = await openHome(t, { names });

  for (const [index, deviceId] of home.ids.entries()) await home.goes(index, { deviceId });
  await home.lookUntil(320);
  expect(await home.told()).toEqual([`device_offline ${names.join(' ')}`]);

  for (const [index, deviceId] of home.ids.entries()) await home.comes(320 + index, deviceId);
  await home.lookUntil(400);
  expect(await home.told()).toEqual([`device_offline ${names.join(' ')}`, `device_online ${names.join(' ')}`]);
});

test('devices that go one after the other without end do not keep the first from being told', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: Array.from({ length: 20 }, (_, index) => `d${index}`) });

  for (const [index, deviceId] of home.ids.entries()) await home.goes(index * 10, { deviceId });
  await home.lookUntil(380);

  expect(await home.told()).toHaveLength(1);
  await home.lookUntil(600);
  expect((await home.told()).flatMap((told) => told.split(' ').slice(1)).toSorted()).toEqual(
    Array.from({ length: 20 }, (_, index) => `d${index}`).toSorted(),
  );
});

test('everybody is told of their own devices only', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const stranger = await insertUser(t.db, 'wang');
  const channel = await addTestChannel(t.db, stranger);

  await home.goes(0);
  await home.lookUntil(400);

  expect(await home.told()).toEqual(['device_offline NAS']);
  expect(await home.told(channel)).toEqual([]);
});

test('what fails for one owner keeps no other from being told', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const stranger = await insertUser(t.db, 'wang');
  const deviceId = await insertDevice(t.db, { userId: stranger, serverId: home.serverId, name: 'A' });
  await insertPresence(t.db, { deviceId });
  const channel = await addTestChannel(t.db, stranger);
  await t.db
    .updateTable('device')
    .set({ watchedFrom: home.at(0) })
    .execute();
  const failing = sql.raw(`(channel_id <> ${channel})`);
  await sql`alter table alert_delivery add constraint failing check ${failing}`.execute(t.db);

  for (const id of [deviceId, home.deviceId]) await home.goes(0, { deviceId: id });
  await home.lookUntil(280);
  await expect(home.lookUntil(300)).rejects.toThrow('1 owners could not be told');
  expect(await home.told()).toEqual(['device_offline NAS']);
  await home.comes(320);
  for (let seconds = 320; seconds <= 420; seconds += 20) await expect(home.lookUntil(seconds)).rejects.toThrow();
  expect(await home.told()).toEqual(['device_offline NAS', 'device_online NAS']);

  await sql`alter table alert_delivery drop constraint failing`.execute(t.db);
  await home.lookUntil(440);
  expect(await home.told(channel)).toEqual(['device_offline A']);
});

test('who has come back is told of also while nobody can be told of who went', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['back', 'gone'] });
  const [back = 0, gone = 0] = home.ids;
  await home.goes(0, { deviceId: back });
  await home.lookUntil(320);
  await home.goes(320, { deviceId: gone });
  await home.comes(580, back);
  await home.lookUntil(600);
  const failing = sql.raw(`check (event <> 'device_offline') not valid`);
  await sql`alter table alert_delivery add constraint failing ${failing}`.execute(t.db);

  await expect(home.lookUntil(620)).rejects.toThrow('1 owners could not be told');

  expect(await home.told()).toEqual(['device_offline back', 'device_online back']);
});

test('a look that takes long is no time in which nobody watched', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: home.at(0) })
    .execute();
  let wallClockMs = home.at(0).getTime();
  const watch = new AbsenceWatch(t.db, async () => new Date(wallClockMs));

  for (let look = 0; look < 8; look++) {
    const looking = watch.look();
    wallClockMs += 40 * SECOND_MS;
    await looking;
    wallClockMs += 10 * SECOND_MS;
  }

  expect(await home.told()).toEqual(['device_offline NAS']);
});

test('each channel hears what it was asked to, and a disabled one nothing', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const online = await addTestChannel(t.db, home.userId, { events: ['device_online'] });
  const off = await addTestChannel(t.db, home.userId);
  await t.db.updateTable('alertChannel').set({ enabled: false }).where('id', '=', off).execute();

  await home.goes(0);
  await home.lookUntil(400);
  await home.comes(400);
  await home.lookUntil(500);

  expect(await home.told(online)).toEqual(['device_online NAS']);
  expect(await home.told(off)).toEqual([]);
});

test('a channel that is added during an absence hears neither of it nor of its end', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await t.db.deleteFrom('alertChannel').execute();
  await home.goes(0);
  await home.lookUntil(400);

  const late = await addTestChannel(t.db, home.userId);
  await home.lookUntil(800);
  await home.comes(800);
  await home.lookUntil(900);

  expect(await home.told(late)).toEqual([]);
});

test('a relay that is lost is told after the minutes of its devices’ owner, and its devices come back with it', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const lastSeenAt = home.at(0);
  await t.db.updateTable('relay').set({ lastSeenAt }).execute(); // long before the database's own clock

  await home.lookUntil(299);
  expect(await home.told()).toEqual([]);
  await home.lookUntil(300);
  expect(await home.told()).toEqual(['device_offline NAS']);

  await insertRelay(t.db, { serverId: home.serverId });
  await home.lookUntil(340);
  expect(await home.told()).toEqual(['device_offline NAS', 'device_online NAS']);
});

test('the time that nobody watched is not counted for what a relay alone went through', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['stopped', 'lost'] });
  const [stopped = 0] = home.ids;
  await home.goes(0, { deviceId: stopped, reason: 'relay_stopped' });
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: home.at(0) })
    .execute();

  home.passUnwatched(7200);
  await home.lookUntil(7220 + 299);
  expect(await home.told()).toEqual([]);
  await home.lookUntil(7220 + 300);

  expect(await home.told()).toEqual(['device_offline lost stopped']);
});

test('after a start relays have a minute to say who is back', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['back', 'away'] });
  const [back = 0, away = 0] = home.ids;
  for (const deviceId of [back, away]) await home.goes(0, { deviceId });

  home.passUnwatched(3600);
  await home.lookUntil(3600 + 40);
  await home.comes(3600 + 40, back);
  await home.lookUntil(3600 + 79);
  expect(await home.told()).toEqual([]);
  await home.lookUntil(3600 + 120);

  expect(await home.told()).toEqual(['device_offline away']);
});

test('who disables a device, or mutes it, hears no more of its absence', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['disabled', 'muted'] });
  const [disabled = 0, muted = 0] = home.ids;
  for (const deviceId of home.ids) await home.goes(0, { deviceId });
  await home.lookUntil(320);
  expect(await home.told()).toEqual(['device_offline disabled muted']);

  await t.db.updateTable('device').set({ enabled: false }).where('id', '=', disabled).execute();
  await t.db.updateTable('device').set({ alertsEnabled: false }).where('id', '=', muted).execute();
  await home.lookUntil(400);
  for (const deviceId of home.ids) await home.comes(400, deviceId);
  await home.lookUntil(500);

  expect(await home.told()).toEqual(['device_offline disabled muted']);
});

test('a device that was switched on again counts from then', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.goes(-90);
  await t.db
    .updateTable('device')
    .set({ watchedFrom: home.at(100) })
    .execute();

  await home.lookUntil(399);
  expect(await home.told()).toEqual([]);
  await home.lookUntil(400);

  expect(await home.told()).toEqual(['device_offline NAS']);
});

test('a device that was disabled and enabled during its absence keeps none that goes with it from being told', async () => {
  await using t = await openTestDb();
  const home = await openHome(t, { names: ['again', 'another'] });
  const [again = 0, another = 0] = home.ids;
  await home.goes(0, { deviceId: again });
  await home.lookUntil(300);
  await t.db.updateTable('device').set({ enabled: false }).where('id', '=', again).execute();
  await home.lookUntil(340);
  const enabled = { enabled: true, watchedFrom: home.at(340) };
  await t.db.updateTable('device').set(enabled).where('id', '=', again).execute();
  await home.goes(340, { deviceId: another });

  await home.lookUntil(640);

  expect(await home.told()).toEqual(['device_offline again', 'device_offline again another']);
});
