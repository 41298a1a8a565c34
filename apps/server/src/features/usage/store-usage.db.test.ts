import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertHome, insertMapping, insertRelay, usageOf } from '../../testing/device-fixtures.ts';
import { retryAcrossHours } from '../../testing/retry-across-hours.ts';
import { storeUsage as store, type UsageReport } from './store-usage.ts';
import { listUsageOfLastDay } from './last-day-store.ts';
import { deleteOldUsage } from './usage-store.ts';

const storeUsage = async (db: Db, given: UsageReport) => await store({ db, sourceKey: Buffer.alloc(32) }, given);

/** Inserts two mappings and the relays `r1` and `r2`. */
async function openMappings(db: Db): Promise<[number, number]> {
  const home = await insertHome(db);
  for (const id of ['r1', 'r2']) await insertRelay(db, { ...home, id });
  return [await insertMapping(db, { ...home, prefix: 'a' }), await insertMapping(db, { ...home, prefix: 'b' })];
}

function report(sequence: number, entries: ReturnType<typeof usageOf>[], given: object = {}) {
  return { relayId: 'r1', bootId: 'boot', sequence, entries, ...given };
}

async function bytesIn(db: Db, mappingId: number): Promise<number | undefined> {
  return (await listUsageOfLastDay(db, [mappingId])).get(mappingId)?.bytesIn;
}

test(
  'all counts are added up by hour',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [id] = await openMappings(t.db);
    const full = {
      ...{ bytesIn: 1, bytesOut: 20, requests: 300, ok: 4, clientErrors: 5, serverErrors: 6, failed: 7 },
      ...{ firstByteMs: 0.25, answered: 8 },
    };

    for (const sequence of [1, 2, 3]) await storeUsage(t.db, report(sequence, [usageOf(id, full)]));

    const { rows } =
      await sql`select *, hour = date_trunc('hour', now(), 'UTC') as is_now from mapping_usage_hour`.execute(t.db);
    expect(rows).toEqual([
      {
        ...{ mappingId: id, hour: expect.any(Date), isNow: true },
        ...Object.fromEntries(Object.entries(full).map(([name, value]) => [name, value * 3])),
        ...{ latency: [], visitors: [], networks: [], isTruncated: false },
      },
    ]);
  }),
);

test('a report counts once, also if concurrent or later copies arrive', async () => {
  await using t = await openTestDb();
  const [id] = await openMappings(t.db);

  await Promise.all(Array.from({ length: 20 }, () => storeUsage(t.db, report(1, [usageOf(id)]))));
  await storeUsage(t.db, report(2, [usageOf(id)]));
  await storeUsage(t.db, report(1, [usageOf(id)]));
  await storeUsage(t.db, report(2, [usageOf(id)]));

  expect(await bytesIn(t.db, id)).toBe(200);
});

test('each start of a relay has its own sequence, also if two processes use one id', async () => {
  await using t = await openTestDb();
  const [id] = await openMappings(t.db);

  await storeUsage(t.db, report(1, [usageOf(id)]));
  await storeUsage(t.db, report(1, [usageOf(id)], { bootId: 'next' }));
  await storeUsage(t.db, report(1, [usageOf(id)], { relayId: 'r2' }));
  await storeUsage(t.db, report(1, [usageOf(id)]));
  await storeUsage(t.db, report(1, [usageOf(id)], { bootId: 'next' }));

  expect(await bytesIn(t.db, id)).toBe(300);
});

test('reports of two relays with the same mappings in opposite order do not deadlock', async () => {
  await using t = await openTestDb();
  const [a, b] = await openMappings(t.db);
  const sequences = Array.from({ length: 25 }, (_, n) => n + 1);

  await Promise.all([
    ...sequences.map((sequence) =>
      storeUsage(t.db, report(sequence, [usageOf(a), usageOf(b)], { bootId: `x${sequence}` })),
    ),
    ...sequences.map((sequence) =>
      storeUsage(t.db, report(sequence, [usageOf(b), usageOf(a)], { relayId: 'r2', bootId: `y${sequence}` })),
    ),
  ]);

  expect(await bytesIn(t.db, a)).toBe(5_000);
  expect(await bytesIn(t.db, b)).toBe(5_000);
});

test('entries of deleted mappings are ignored, and the others count', async () => {
  await using t = await openTestDb();
  const [a, b] = await openMappings(t.db);
  await t.db.deleteFrom('mapping').where('id', '=', b).execute();

  await storeUsage(t.db, report(1, [usageOf(b), usageOf(a), usageOf(999_999), usageOf(Number.MAX_SAFE_INTEGER)]));

  expect(await listUsageOfLastDay(t.db, [a, b])).toEqual(new Map([[a, { bytesIn: 100, bytesOut: 1000, requests: 1 }]]));
});

test('a report with a mapping that is being deleted counts the other mappings', async () => {
  await using t = await openTestDb();
  const [a, b] = await openMappings(t.db);
  const deleted = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const deletion = t.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('mapping').where('id', '=', b).execute();
    deleted.resolve();
    await commit.promise;
  });
  await deleted.promise;

  const storing = storeUsage(t.db, report(1, [usageOf(a), usageOf(b)]));
  await expect.poll(() => countWaiting(t)).toBe(1);
  commit.resolve();
  await Promise.all([deletion, storing]);

  expect(await bytesIn(t.db, a)).toBe(100);
  expect(await t.db.selectFrom('mappingUsageHour').select('mappingId').execute()).toEqual([{ mappingId: a }]);
});

test('several entries of one mapping are added up, and the largest numbers stay exact', async () => {
  await using t = await openTestDb();
  const [id] = await openMappings(t.db);
  const huge = Number.MAX_SAFE_INTEGER - 1;

  await storeUsage(t.db, report(1, [usageOf(id, { bytesIn: huge }), usageOf(id, { bytesIn: 1 })]));

  expect(await bytesIn(t.db, id)).toBe(Number.MAX_SAFE_INTEGER);
});

test('a report whose storing failed can be sent again', async () => {
  await using t = await openTestDb();
  const [id] = await openMappings(t.db);
  const tooMuch = Array.from({ length: 1_100 }, () => usageOf(id, { bytesIn: Number.MAX_SAFE_INTEGER }));

  await expect(storeUsage(t.db, report(1, tooMuch))).rejects.toThrow('out of range');
  await storeUsage(t.db, report(1, [usageOf(id)]));

  expect(await bytesIn(t.db, id)).toBe(100);
});

test('an empty report is stored and changes no usage', async () => {
  await using t = await openTestDb();
  const [id] = await openMappings(t.db);

  await storeUsage(t.db, report(1, []));

  expect(await bytesIn(t.db, id)).toBeUndefined();
  expect(await t.db.selectFrom('usageReport').select('sequence').execute()).toEqual([{ sequence: 1 }]);
});

test(
  'the last day has 24 clock hours, and hours are kept for 90 days',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [id] = await openMappings(t.db);
    const ages = ['91 days', '89 days', '24 hours', '23 hours', '0 hours'];
    for (const [index, age] of ages.entries()) {
      await storeUsage(t.db, report(index + 1, [usageOf(id, { bytesIn: 10 ** index })]));
      await sql`update mapping_usage_hour set hour = date_trunc('hour', now(), 'UTC') - ${age}::interval
      where bytes_in = ${10 ** index}`.execute(t.db);
    }

    expect(await bytesIn(t.db, id)).toBe(11_000);
    await deleteOldUsage(t.db);

    const kept = await t.db.selectFrom('mappingUsageHour').select('bytesIn').orderBy('bytesIn').execute();
    expect(kept.map((row) => row.bytesIn)).toEqual([10, 100, 1000, 10_000]);
  }),
);

test('numbers of relays’ starts are deleted after 30 days without a report', async () => {
  await using t = await openTestDb();
  await openMappings(t.db);
  await storeUsage(t.db, report(1, []));
  await storeUsage(t.db, report(1, [], { bootId: 'old' }));
  await t.db
    .updateTable('usageReport')
    .set({ storedAt: sql<Date>`now() - interval '31 days'` })
    .where('bootId', '=', 'old')
    .execute();

  await deleteOldUsage(t.db);

  expect(await t.db.selectFrom('usageReport').select('bootId').execute()).toEqual([{ bootId: 'boot' }]);
});

test(
  'the hours of an account and a device have the sums of their mappings, and each visitor and network once',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [a, b] = await openMappings(t.db);
    const latency = Array.from({ length: 31 }, (_, bucket) => bucket);

    await storeUsage(
      t.db,
      report(1, [
        usageOf(a, { latency, networks: [['203.0.113.7', 2]] }),
        usageOf(b, {
          latency,
          networks: [
            ['203.0.113.7', 1],
            ['198.51.100.1', 1],
          ],
        }),
      ]),
    );
    await storeUsage(t.db, report(2, [usageOf(b, { networks: [['198.51.100.1', 1]] })]));

    const sums = await t.db
      .selectFrom('usageSum')
      .select(['deviceId', 'bytesIn', 'requests', 'latency', 'isTruncated'])
      .select(sql<number>`cardinality(networks)`.as('networks'))
      .orderBy('deviceId')
      .execute();
    const sum = { bytesIn: 300, requests: 3, networks: 2, isTruncated: false, latency: latency.map((n) => `${2 * n}`) };
    expect(sums).toEqual([
      { deviceId: expect.any(Number), ...sum },
      { deviceId: null, ...sum },
    ]);
    const texts = await sql`select usage_sum::text from usage_sum`.execute(t.db);
    expect(JSON.stringify(texts.rows)).not.toContain('203.0.113');
  }),
);
