import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping } from '../../testing/device-fixtures.ts';
import { endMappingsOfDevice } from '../mappings/index.ts';
import { markProofsRevoked, moveProofs } from './session-proof-store.ts';
import { markGroundsRevoked } from './verification-store.ts';

// A statement takes 65 535 parameters at most.
const MANY = 66_000;

let t: TestDb;
let proofs: Awaited<ReturnType<typeof insertManyProofs>>;
// Both tests roll back what they change.
beforeAll(async () => {
  t = await openTestDb();
  proofs = await insertManyProofs(t.db);
}, 240_000);
afterAll(async () => await t[Symbol.asyncDispose]());

/** Inserts many proofs of one login, each of which also has a member, a share link and the password as its grounds. */
async function insertManyProofs(db: Db) {
  const home = await insertHome(db);
  const mappingId = await insertMapping(db, { ...home, prefix: 'nas' });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const sessions = Array.from({ length: 2 }, (_, n) => ({ userId: home.userId, idHash: Buffer.alloc(32, n) }));
  const [session, otherSession] = await db
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
    // Checking five foreign keys of each row takes longer than writing it.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
    insert into verification (owner_id, device_id, mapping_id, session_id, member_id, share_link_id, granted_by, host,
      visitor_ip, user_agent, expires_at, cookie_expires_at)
    select ${home.userId}, ${home.deviceId}, ${mappingId}, ${ids.sessionId}, ${ids.memberId}, ${ids.shareLinkId}, 'password', 'nas.localhost',
      '203.0.113.9', '', ${expiresAt}, ${expiresAt}
    from generate_series(1, ${MANY}::integer)`.execute(tx);
  });
  return { ...home, ...ids, otherSessionId: otherSession?.id ?? 0 };
}

/** Dropping the indexes saves most of the time, because each revoked row is written to all of them. */
async function dropIndexes(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid = 'verification'::regclass and not indisunique`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(db);
}

/** Runs without a statement timeout, because the time depends on the machine. */
async function withoutTimeLimit(db: Db, run: (tx: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await run(tx);
  });
}

class RolledBack extends Error {}

/** What is read after the change, which is rolled back. */
async function readAfter<Read>(change: (tx: Db) => Promise<unknown>, read: (tx: Db) => Promise<Read>): Promise<Read> {
  const found = Promise.withResolvers<Read>();
  const task = withoutTimeLimit(t.db, async (tx) => {
    await change(tx);
    found.resolve(await read(tx));
    throw new RolledBack();
  });
  await expect(task).rejects.toThrow(RolledBack);
  return await found.promise;
}

async function countValid(tx: Db): Promise<number> {
  const { count } = await tx
    .selectFrom('verification')
    .where('revokedAt', 'is', null)
    .where('sessionId', '=', proofs.sessionId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

test('more proofs than a statement has parameters can be revoked at once', { timeout: 240_000 }, async () => {
  const { mappingId, deviceId, memberId, shareLinkId, sessionId, otherSessionId } = proofs;
  const endings: Record<string, (tx: Db) => Promise<unknown>> = {
    'the login': (tx) => markProofsRevoked(tx, { sessionIds: [sessionId] }),
    'the login, replaced by another one of its browser': (tx) => moveProofs(tx, [sessionId], otherSessionId),
    'the member': (tx) => markGroundsRevoked(tx, { memberIds: [memberId] }),
    'the link': (tx) => markGroundsRevoked(tx, { shareLinkId }),
    'the password': (tx) => markGroundsRevoked(tx, { mappingId, grantedBy: 'password' }),
    'the device': (tx) => endMappingsOfDevice(tx, deviceId),
  };

  expect(await readAfter(async () => undefined, countValid)).toBe(MANY);
  for (const [what, end] of Object.entries(endings))
    expect([what, await readAfter(end, countValid)]).toEqual([what, 0]);
});

test('a changed password revokes the valid proofs among many expired ones', { timeout: 120_000 }, async () => {
  const change = async (tx: Db): Promise<void> => {
    const expired = tx.updateTable('verification').set({ expiresAt: new Date(0) });
    await expired.where('id', '>', 1).execute();
    await markGroundsRevoked(tx, { mappingId: proofs.mappingId, grantedBy: 'password' });
  };

  const revoked = await readAfter(change, async (tx) => {
    return await tx.selectFrom('verification').where('revokedAt', 'is not', null).select('id').execute();
  });

  expect(revoked).toEqual([{ id: 1 }]);
});
