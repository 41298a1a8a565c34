import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import type { Db } from '../../db/driver.ts';
import { insertHome, insertMapping, insertPresence, insertRelay, usageOf } from '../../testing/device-fixtures.ts';
import { figuresOf } from './figures.ts';
import { beginOf, periodUntil } from './period.ts';
import { rollUp } from './roll-up.ts';
import { listUptime } from './statistics-source-store.ts';
import { listTopMappings, listUsage, readProgress, sumUsage } from './statistics-store.ts';
import { storeUsage } from './store-usage.ts';
import { recordUptime } from '../uptime/index.ts';

/** Stores usage for hours of a day in Beijing, long enough ago to be finished. */
async function storeHours(db: Db, mappingId: number, hours: string[]): Promise<void> {
  for (const [index, hour] of hours.entries()) {
    const entries = [usageOf(mappingId, { bytesIn: 10 ** index, networks: [[`203.0.113.${index % 2}`, 1]] })];
    await storeUsage({ db, sourceKey: Buffer.alloc(32) }, { relayId: 'r1', bootId: 'b', sequence: index + 1, entries });
    await sql`update mapping_usage_hour set hour = ${hour} where hour > now() - interval '2 hours'`.execute(db);
    await sql`update usage_sum set starts_at = ${hour} where starts_at > now() - interval '2 hours'`.execute(db);
  }
}

async function sumsOf(db: Db, unit: 'day' | 'month') {
  const rows = await db
    .selectFrom('usageSum')
    .where('unit', '=', unit)
    .select(['startsAt', 'bytesIn', 'mappingId', 'deviceId'])
    .select(sql<number>`cardinality(networks)`.as('networks'))
    .orderBy('startsAt')
    .execute();
  return rows.map(({ startsAt, bytesIn, networks, mappingId, deviceId }) => [
    mappingId !== null ? 'mapping' : deviceId === null ? 'account' : 'device',
    ...[startsAt.toISOString(), bytesIn, networks],
  ]);
}

test('hours become days and months of Beijing at each level, which changes no figure, nor does a second run', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  const id = await insertMapping(t.db, { ...home, prefix: 'a' });
  const hours = ['2026-08-30T15:00Z', '2026-08-30T16:00Z', '2026-08-31T15:00Z', '2026-08-31T16:00Z'];
  await storeHours(t.db, id, hours);
  const from = new Date('2026-08-29T16:00Z');
  await t.db.updateTable('statisticsProgress').set({ doneUntil: from }).where('name', '=', 'day').execute();
  const month = new Date('2026-07-31T16:00Z');
  await t.db.updateTable('statisticsProgress').set({ doneUntil: month }).where('name', '=', 'month').execute();

  const scope = { userId: home.userId };
  const period = periodUntil(new Date('2026-09-01T00:00Z'), { unit: 'day', points: 3 });
  const figures = async () => {
    const progress = await readProgress(t.db);
    const [points, sum] = [
      await listUsage(t.db, scope, { period, progress }),
      await sumUsage(t.db, scope, { time: period, progress }),
    ];
    const top = await listTopMappings(t.db, scope, { period, progress, limit: 9 });
    return { points: points.map((point) => [point.at, figuresOf(point)]), sum: figuresOf(sum), top };
  };
  const before = await figures();
  expect(before).toMatchObject({ sum: { bytes_in: 1111, networks: 2 }, top: [{ bytes: 5111 }] });

  await rollUp(t.db);
  expect(await figures()).toEqual(before);
  const [days, months] = [await sumsOf(t.db, 'day'), await sumsOf(t.db, 'month')];
  await t.db.updateTable('statisticsProgress').set({ doneUntil: from }).where('name', '!=', 'uptime').execute();
  await rollUp(t.db);

  const levels = (rows: [string, number, number][]) =>
    rows.flatMap(([at, bytes, networks]) =>
      ['mapping', 'device', 'account'].map((level) => [level, at, bytes, networks]),
    );
  expect(days).toHaveLength(9);
  expect(days).toEqual(
    expect.arrayContaining(
      levels([
        ['2026-08-29T16:00:00.000Z', 1, 1],
        ['2026-08-30T16:00:00.000Z', 110, 2],
        ['2026-08-31T16:00:00.000Z', 1000, 1],
      ]),
    ),
  );
  const expected = levels([
    ['2026-07-31T16:00:00.000Z', 111, 2],
    ['2026-08-31T16:00:00.000Z', 1000, 1],
  ]);
  expect(months).toHaveLength(6);
  expect(months).toEqual(expect.arrayContaining(expected));
  expect(await sumsOf(t.db, 'day')).toEqual(expect.arrayContaining(days));
});

test('the time of a device is counted as online or not, and a gap without a server is not counted', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  await insertPresence(t.db, home);
  const passed = async (seconds: number) => {
    const doneUntil = sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`;
    await t.db.updateTable('statisticsProgress').set({ doneUntil }).where('name', '=', 'uptime').execute();
    await recordUptime(t.db);
  };

  await passed(15);
  await passed(3_600);
  await t.db.updateTable('devicePresence').set({ online: false, offlineReason: 'closed' }).execute();
  await passed(15);

  const { rows } = await sql<{ online: number; observed: number }>`
    select sum(online_ms)::bigint as online, sum(observed_ms)::bigint as observed from device_uptime`.execute(t.db);
  expect(Math.round((rows[0]?.online ?? 0) / 5_000)).toBe(3);
  expect(Math.round((rows[0]?.observed ?? 0) / 10_000)).toBe(3);
  const { now, ...progress } = await readProgress(t.db);
  for (const unit of ['hour', 'day'] as const) {
    const asked = { unit, from: beginOf(unit, now, { plus: -2 }), bars: 3, progress };
    const [uptime] = await listUptime(t.db, { userId: home.userId }, asked);
    expect(Math.round((uptime?.share ?? 0) * 10)).toBe(5);
    expect(uptime?.bars).toHaveLength(3);
    expect(uptime?.bars[0]).toBeNull();
  }
});
