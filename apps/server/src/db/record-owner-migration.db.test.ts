import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertDevice, insertMapping, insertServer, insertUser } from '../testing/device-fixtures.ts';
import type { Db } from './driver.ts';
import { openTestDb } from './open-test-db.ts';
import { migrateTo } from './testing/migrate-to.ts';

/** Reads the columns that records had before they had an owner. */
async function readRecords(db: Db) {
  const { rows } = await sql<{ id: number }>`
    select id, mapping_id, user_id, member_id, share_link_id, session_id, granted_by, who, host, visitor_ip,
      visitor_network, user_agent, kind, created_at, expires_at, cookie_expires_at, revoked_at, told_until
    from verification order by id`.execute(db);
  return rows;
}

test('the migration gives existing records their owner and keeps all other columns', async () => {
  await using t = await openTestDb({ migrated: false });
  const { db } = t;
  await migrateTo(db, '0033-released-prefix');
  const serverId = await insertServer(db);
  const [li, zhao] = [await insertUser(db, 'li'), await insertUser(db, 'zhao')];
  const places = [];
  for (const [index, userId] of [li, li, zhao].entries()) {
    const deviceId = await insertDevice(db, { userId, serverId });
    const mappingId = await insertMapping(db, { deviceId, serverId, prefix: `nas${index}` });
    places.push({ ownerId: userId, deviceId, mappingId });
  }
  for (const { mappingId } of places)
    await sql`
      insert into verification (mapping_id, user_id, granted_by, who, host, visitor_ip, visitor_network, user_agent, kind,
        expires_at, cookie_expires_at, revoked_at)
      values
        (${mappingId}, ${zhao}, 'member', 'zhao', 'nas', '203.0.113.9', '203.0.113.9', 'Firefox', 'cookie',
          '2026-11-02', '2026-11-02', '2026-11-01'),
        (${mappingId}, null, 'mark_client', '', 'nas', '203.0.113.8', '', '', 'ip', '2036-11-02', null, null)`.execute(
      db,
    );
  const before = await readRecords(db);
  expect(before).toHaveLength(6);

  await migrateTo(db, '0034-lasting-records');

  expect(await readRecords(db)).toEqual(before);
  const owned = await db
    .selectFrom('verification')
    .select(['ownerId', 'deviceId', 'mappingId'])
    .orderBy('id')
    .execute();
  expect(owned).toEqual(places.flatMap((place) => [place, place]));
  expect((await sql`select id from gone_mapping`.execute(db)).rows).toEqual([]);
  await db.deleteFrom('device').where('userId', '=', li).execute();
  await db.deleteFrom('userAccount').where('id', '=', zhao).execute();
  expect(await readRecords(db)).toEqual(before.slice(0, 4));
});
