import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping, insertRelay, usageOf } from '../../testing/device-fixtures.ts';
import { storeUsage } from './store-usage.ts';

const networks = fc.array(
  fc.tuple(fc.constantFrom('113.92.1.1', '8.8.8.8', '192.168.1.1', '::1', 'nowhere'), fc.integer({ min: 1, max: 9 })),
  { maxLength: 4 },
);
const entries = fc.array(fc.record({ mapping: fc.nat({ max: 3 }), networks }), { maxLength: 5 });

async function sumsOfMappings(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select user_id, day, place, sum(requests)::bigint as requests from usage_place_day
    group by user_id, day, place order by user_id, day, place`.execute(db);
  return rows;
}

async function sumsOfAccounts(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select user_id, day, place, requests from usage_account_place_day order by user_id, day, place`.execute(db);
  return rows;
}

test('the places of an account have the sums of its mappings’ places after any reports, each of which comes twice', async () => {
  await using t = await openTestDb();
  const mappingIds: number[] = [];
  for (const name of ['li', 'wang']) {
    const home = await insertHome(t.db, name);
    if (name === 'li') await insertRelay(t.db, { ...home, id: 'r1' });
    for (const prefix of [`${name}1`, `${name}2`]) mappingIds.push(await insertMapping(t.db, { ...home, prefix }));
  }
  let sequence = 0;
  const sourceKey = Buffer.alloc(32);

  await fc.assert(
    fc.asyncProperty(entries, async (reported) => {
      const report = {
        ...{ relayId: 'r1', bootId: 'boot', sequence: ++sequence },
        entries: reported.map(({ mapping, ...entry }) => usageOf(mappingIds[mapping] ?? 0, entry)),
      };
      await storeUsage({ db: t.db, sourceKey }, report);
      const stored = await sumsOfAccounts(t.db);
      await storeUsage({ db: t.db, sourceKey }, report);

      expect(stored).toEqual(await sumsOfMappings(t.db));
      expect(await sumsOfAccounts(t.db)).toEqual(stored);
    }),
    { numRuns: 20 },
  );

  const before = await sumsOfAccounts(t.db);
  expect(before.length).toBeGreaterThan(4);
  await t.db.deleteFrom('mapping').execute();
  expect(await sumsOfAccounts(t.db)).toEqual(before);
});
