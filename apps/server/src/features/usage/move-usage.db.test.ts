import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertRelay, usageOf } from '../../testing/device-fixtures.ts';
import { retryAcrossHours } from '../../testing/retry-across-hours.ts';
import { moveUsage } from './move-usage-store.ts';
import { storeUsage } from './store-usage.ts';

test(
  'the statistics of a lost device are added to those of its successor',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    const home = await insertHome(t.db);
    await insertRelay(t.db, { ...home, id: 'r1' });
    const successorId = await insertDevice(t.db, home);
    const mapping = await insertMapping(t.db, { ...home, prefix: 'a' });
    const other = await insertMapping(t.db, { ...home, deviceId: successorId, prefix: 'b' });
    const entries = [usageOf(mapping, { bytesIn: 1 }), usageOf(other, { bytesIn: 10 })];
    await storeUsage(
      { db: t.db, sourceKey: Buffer.alloc(32) },
      { relayId: 'r1', bootId: 'boot', sequence: 1, entries },
    );
    for (const [id, online] of [
      [home.deviceId, 5],
      [successorId, 3],
    ] as const)
      await sql`insert into device_uptime values (${id}, 'hour', '2026-11-24T00:00:00Z', ${online}, 7)`.execute(t.db);

    await t.db.transaction().execute(async (tx) => await moveUsage(tx, { lostId: home.deviceId, successorId }));

    const sums = t.db.selectFrom('usageSum').select('bytesIn').where('deviceId', '=', successorId);
    expect(await sums.execute()).toEqual([{ bytesIn: 11 }]);
    const recent = await t.db.selectFrom('usageRecent').select('deviceId').distinct().execute();
    expect(recent).toEqual([{ deviceId: successorId }]);
    const uptime = await t.db.selectFrom('deviceUptime').select(['deviceId', 'onlineMs', 'observedMs']).execute();
    expect(uptime).toEqual([{ deviceId: successorId, onlineMs: 5, observedMs: 7 }]);
  }),
);
