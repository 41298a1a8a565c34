import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping, insertRelay, usageOf } from '../../testing/device-fixtures.ts';
import { retryAcrossHours } from '../../testing/retry-across-hours.ts';
import { listUsageOfLastDay } from './last-day-store.ts';
import { LastDayUsage } from './last-day-usage.ts';
import { storeUsage } from './store-usage.ts';
import { waitForRollUp } from './usage-store.ts';

/** Three mappings; the first two were used in each of the last 30 hours, by numbers from which an hour is recognized. */
async function openMappings(db: Db): Promise<number[]> {
  const home = await insertHome(db);
  await insertRelay(db, { ...home, id: 'r1' });
  const ids: number[] = [];
  for (const prefix of ['a', 'b', 'c']) ids.push(await insertMapping(db, { ...home, prefix }));
  for (let age = 0; age < 30; age++)
    for (const id of ids.slice(0, 2)) await addHour(db, id, { age, bytesIn: 2 ** age });
  return ids;
}

async function addHour(db: Db, mappingId: number, { age, bytesIn }: { age: number; bytesIn: number }): Promise<void> {
  await sql`
    insert into mapping_usage_hour as total (mapping_id, hour, bytes_in, bytes_out, requests, ok, client_errors,
      server_errors, failed, first_byte_ms, answered)
    select ${mappingId}, date_trunc('hour', now(), 'UTC') - make_interval(hours => ${age}::integer), ${bytesIn}, 7, 1, 1,
      0, 0, 0, 0, 1
    on conflict (mapping_id, hour) do update set bytes_in = total.bytes_in + excluded.bytes_in`.execute(db);
}

const sinceHour = 2 ** 24 - 1; // the bytes of 24 hours
const nothing = { bytesIn: 0, bytesOut: 0, requests: 0 };

test(
  'the sums are those of the last 24 hours, also of what is reported and added after the first reading',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [a = 0, b = 0, c = 0] = await openMappings(t.db);
    const usage = new LastDayUsage();

    const before = await usage.list(t.db, [a, c]);
    await storeUsage(
      { db: t.db, sourceKey: Buffer.alloc(32) },
      { relayId: 'r1', bootId: 'boot', sequence: 1, entries: [usageOf(a), usageOf(c)] },
    );
    const after = await usage.list(t.db, [a, b, c]);

    expect(before).toEqual(
      new Map([
        [a, { bytesIn: sinceHour, bytesOut: 168, requests: 24 }],
        [c, nothing],
      ]),
    );
    expect(after).toEqual(await listUsageOfLastDay(t.db, [a, b, c]));
    expect(after.get(a)?.bytesIn).toBe(sinceHour + 100);
  }),
);

test(
  'an hour that begins takes the place of the oldest one',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [a = 0] = await openMappings(t.db);
    const clock = { agoHours: 3, toPostgres: () => `${clock.agoHours} hours` }; // pg reads it at each query
    const now = sql<Date>`(now() - ${clock}::interval)`;
    const usage = new LastDayUsage({ now });
    const seen = new Set<number | undefined>();

    for (; clock.agoHours >= 0; clock.agoHours--) {
      const sums = await usage.list(t.db, [a]);
      expect(sums).toEqual(await listUsageOfLastDay(t.db, [a], now));
      seen.add(sums.get(a)?.bytesIn);
    }

    expect([...seen]).toEqual([2 ** 27 - 1, 2 ** 26 - 1, 2 ** 25 - 1, sinceHour]);
  }),
);

test(
  'a report that is being stored while an hour begins counts after it',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [a = 0] = await openMappings(t.db);
    const usage = new LastDayUsage();
    const stored = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const report = t.db.transaction().execute(async (tx) => {
      await waitForRollUp(tx);
      await addHour(tx, a, { age: 1, bytesIn: 5 });
      stored.resolve();
      await commit.promise;
    });
    await stored.promise;

    const during = await usage.list(t.db, [a]);
    commit.resolve();
    await report;
    const after = await usage.list(t.db, [a]);

    expect(during.get(a)?.bytesIn).toBe(sinceHour);
    expect(after.get(a)?.bytesIn).toBe(sinceHour + 5);
  }),
);

test(
  'finished hours are read once',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const [a = 0] = await openMappings(t.db);
    const usage = new LastDayUsage();

    const first = await usage.list(t.db, [a]);
    await sql`delete from mapping_usage_hour where hour < date_trunc('hour', now(), 'UTC')`.execute(t.db);

    expect(await usage.list(t.db, [a])).toEqual(first);
  }),
);
