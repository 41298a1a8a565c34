import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping } from '../../testing/device-fixtures.ts';
import { endMappingsOfDevice } from '../mappings/index.ts';
import { markProofsRevoked, moveProofs } from './session-proof-store.ts';
import { markGroundsRevoked } from './verification-store.ts';

// PostgreSQL takes 65 535 parameters in a statement.
const MANY = 66_000;

/** One browser that came in again and again, by one login that also is a member, with a share link and the password. */
async function insertManyProofs(db: Db) {
  const home = await insertHome(db);
  const mappingId = await insertMapping(db, { ...home, prefix: 'nas' });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const sessions = Array.from({ length: 2 }, (_, n) => ({ userId: home.userId, idHash: Buffer.alloc(32, n) }));
  const [session, heir] = await db
    .insertInto('session')
    .values(sessions.map((values) => ({ ...values, expiresAt, ip: '203.0.113.9', userAgent: '' })))
    .returning('id')
    .execute();
  const member = await db
    .insertInto('mappingMember')
    .values({ mappingId, contact: 'wang@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secret = { codeHash: Buffer.alloc(32), codeSealed: Buffer.alloc(32) };
  const link = await db
    .insertInto('shareLink')
    .values({ ...secret, mappingId, expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  await dropIndexes(db);
  const ids = { mappingId, sessionId: session?.id ?? 0, memberId: member.id, shareLinkId: link.id };
  await withoutTimeLimit(db, async (tx) => {
    await sql`
    insert into verification (owner_id, device_id, mapping_id, session_id, member_id, share_link_id, granted_by, host,
      visitor_ip, user_agent, expires_at, cookie_expires_at)
    select ${home.userId}, ${home.deviceId}, ${mappingId}, ${ids.sessionId}, ${ids.memberId}, ${ids.shareLinkId}, 'password', 'nas.localhost',
      '203.0.113.9', '', ${expiresAt}, ${expiresAt}
    from generate_series(1, ${MANY}::integer)`.execute(tx);
  });
  return { ...home, ...ids, heirId: heir?.id ?? 0 };
}

/** Each row that is ended is written to all of them, which took most of the time; what is found is the same without. */
async function dropIndexes(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid = 'verification'::regclass and not indisunique`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(db);
}

/** What is tried here is that it works; how long it takes is the machine's matter. */
async function withoutTimeLimit(db: Db, run: (tx: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await run(tx);
  });
}

class TakenBack extends Error {}

/** How many proofs count and are of the first login after this, which is then taken back. */
async function leftAfter(db: Db, end: (tx: Db) => Promise<unknown>, sessionId: number): Promise<number> {
  let left = -1;
  const task = withoutTimeLimit(db, async (tx) => {
    await end(tx);
    const { count } = await tx
      .selectFrom('verification')
      .where('revokedAt', 'is', null)
      .where('sessionId', '=', sessionId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    left = count;
    throw new TakenBack();
  });
  await expect(task).rejects.toThrow(TakenBack);
  return left;
}

test('however many proofs somebody made, all of them can be ended at once', { timeout: 240_000 }, async () => {
  await using t = await openTestDb();
  const { mappingId, deviceId, memberId, shareLinkId, sessionId, heirId } = await insertManyProofs(t.db);
  const endings: Record<string, (tx: Db) => Promise<unknown>> = {
    'the login': (tx) => markProofsRevoked(tx, { sessionIds: [sessionId] }),
    'the login, by another one of its browser': (tx) => moveProofs(tx, [sessionId], heirId),
    'the member': (tx) => markGroundsRevoked(tx, { memberIds: [memberId] }),
    'the link': (tx) => markGroundsRevoked(tx, { shareLinkId }),
    'the password': (tx) => markGroundsRevoked(tx, { mappingId, grantedBy: 'password' }),
    'the device': (tx) => endMappingsOfDevice(tx, deviceId),
  };

  expect(await leftAfter(t.db, async () => undefined, sessionId)).toBe(MANY);
  for (const [what, end] of Object.entries(endings))
    expect([what, await leftAfter(t.db, end, sessionId)]).toEqual([what, 0]);
});

test('however many proofs have run out, another password ends those that count', { timeout: 120_000 }, async () => {
  await using t = await openTestDb();
  const { mappingId } = await insertManyProofs(t.db);
  await t.db
    .updateTable('verification')
    .set({ expiresAt: new Date(0) })
    .where('id', '>', 1)
    .execute();

  await markGroundsRevoked(t.db, { mappingId, grantedBy: 'password' });

  expect(await t.db.selectFrom('verification').where('revokedAt', 'is not', null).select('id').execute()).toHaveLength(
    1,
  );
});
