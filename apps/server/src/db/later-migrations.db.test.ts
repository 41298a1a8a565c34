import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertDevice, insertServer, insertUser } from '../testing/device-fixtures.ts';
import type { Db } from './driver.ts';
import { migrate } from './migrate.ts';
import { openTestDb } from './open-test-db.ts';
import { migrateTo } from './testing/migrate-to.ts';

/** Inserts a mapping as the columns were then. */
async function insertFormerMapping(db: Db, deviceId: number, serverId: number, customDomain: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into mapping (device_id, server_id, kind, custom_domain, target_host, target_port, policy)
    values (${deviceId}, ${serverId}, 'http', ${customDomain}, '192.168.1.10', 5000, 'owner') returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

test('an installation with data of the time before invitations migrates to what its rows mean now', async () => {
  await using t = await openTestDb({ migrated: false });
  const { db } = t;
  await migrateTo(db, '0034-lasting-records');
  const serverId = await insertServer(db);
  const li = await insertUser(db, 'li');
  const deviceId = await insertDevice(db, { userId: li, serverId });
  const [served, waiting] = [
    await insertFormerMapping(db, deviceId, serverId, 'served.example.com'),
    await insertFormerMapping(db, deviceId, serverId, 'waiting.example.com'),
  ];
  await sql`
    insert into certificate (subject, names, origin, challenge, issued_names, issued_by, chain, key_sealed, not_before, not_after)
    values ('served.example.com', '{served.example.com}', 'custom_domain', 'http-01', '{served.example.com}', 'ca', 'pem',
      '\\x00', now(), now())`.execute(db);
  await sql`insert into mapping_member (mapping_id, contact) values (${served}, 'came@x.cn'), (${served}, 'did-not@x.cn')`.execute(
    db,
  );
  await sql`
    insert into verification (owner_id, device_id, mapping_id, member_id, granted_by, host, visitor_ip, visitor_network,
      user_agent, kind, expires_at, cookie_expires_at, created_at)
    select ${li}, ${deviceId}, ${served}, id, 'member', 'served', '203.0.113.9', '203.0.113.9', '', 'cookie', now(), now(),
      '2026-11-01T00:00:00Z' from mapping_member where contact = 'came@x.cn'`.execute(db);
  await sql`insert into known_login (user_id, browser, place, last_at) values (${li}, '', '', '2026-11-02T00:00:00Z')`.execute(
    db,
  );
  await sql`
    insert into alert_channel (user_id, kind, name, target_sealed, hint, has_secret, events)
    values (${li}, 'webhook', 'a', '\\x00', '', false, '{new_login}'), (${li}, 'webhook', 'b', '\\x00', '', false, '{device_offline}')`.execute(
    db,
  );
  await sql`insert into told_absence (device_id, since) values (${deviceId}, now())`.execute(db);
  await sql`insert into announcement (title, detail, number, created_at) values ('a', '', 1, '2026-11-03T00:00:00Z')`.execute(
    db,
  );
  await sql`
    insert into passkey_challenge (bound_to, purpose, user_id, challenge, expires_at)
    values (${Buffer.alloc(32)}, 'login', ${li}, 'x', now())`.execute(db);
  await sql`
    insert into trusted_browser (user_id, secret_hash, session_id) values (${li}, ${Buffer.alloc(32)}, 1)`.execute(db);

  await migrate(db);

  const checks = db.selectFrom('domainCheck').select(['mappingId', 'readyAt']).orderBy('mappingId');
  expect(await checks.execute()).toEqual([
    { mappingId: served, readyAt: expect.any(Date) },
    { mappingId: waiting, readyAt: null },
  ]);
  const members = db.selectFrom('mappingMember').select(['contact', 'joinedAt', 'expiresAt']).orderBy('id');
  expect(await members.execute()).toEqual([
    { contact: 'came@x.cn', joinedAt: new Date('2026-11-01T00:00:00Z'), expiresAt: null },
    { contact: 'did-not@x.cn', joinedAt: null, expiresAt: null },
  ]);
  const accounts = db.selectFrom('userAccount').select(['lastLoginAt', 'disabledAt', 'hasOneTimePassword']);
  const lastLoginAt = new Date('2026-11-02T00:00:00Z');
  expect(await accounts.execute()).toEqual([{ lastLoginAt, disabledAt: null, hasOneTimePassword: false }]);
  const channels = await db.selectFrom('alertChannel').select('events').orderBy('id').execute();
  expect(channels.map(({ events }) => events)).toEqual([
    ['new_login', 'access_request', 'passkey_added', 'plan_expiring', 'plan_expired'],
    ['device_offline', 'access_request', 'plan_expiring', 'plan_expired'],
  ]);
  expect(await db.selectFrom('notifiedAbsence').select('deviceId').execute()).toEqual([{ deviceId }]);
  expect(await db.selectFrom('announcement').select('publishedAt').execute()).toEqual([
    { publishedAt: new Date('2026-11-03T00:00:00Z') },
  ]);
  expect(await db.selectFrom('passkeyChallenge').select('userId').execute()).toEqual([{ userId: li }]);
  expect(await db.selectFrom('trustedBrowser').select('skipsSecondStepUntil').execute()).toEqual([
    { skipsSecondStepUntil: null },
  ]);
});
