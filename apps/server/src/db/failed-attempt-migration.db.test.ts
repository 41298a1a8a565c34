import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkUnlocked } from '../http/limits/failed-attempts.ts';
import { insertDevice, insertMapping, insertServer, insertUser } from '../testing/device-fixtures.ts';
import { migrate } from './migrate.ts';
import { openTestDb } from './open-test-db.ts';
import { migrateTo } from './testing/migrate-to.ts';

test('names that are locked stay locked when the migration moves failed attempts to one table', async () => {
  await using t = await openTestDb({ migrated: false });
  await migrateTo(t.db, '0035-binding-request');
  const serverId = await insertServer(t.db);
  const deviceId = await insertDevice(t.db, { userId: await insertUser(t.db, 'li'), serverId });
  const mappingId = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  await sql`insert into login_failure (account, failures, locked_until)
    values ('name:li', 10, now() + interval '9 minutes')`.execute(t.db);
  await sql`insert into gate_password_failure (mapping_id, address, failures, locked_until)
    values (${mappingId}, '203.0.113.9', 10, now() + interval '9 minutes')`.execute(t.db);

  await migrate(t.db);

  for (const key of ['name:li', `mapping:${mappingId}:203.0.113.9`])
    await expect(checkUnlocked(t.db, key, 'login.locked')).rejects.toMatchObject({ code: 'login.locked' });
});
