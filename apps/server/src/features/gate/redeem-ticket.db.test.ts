import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { hashSecret } from '../../hash-secret.ts';
import { insertHome, insertMapping } from '../../testing/device-fixtures.ts';
import { createTicket } from './issue-ticket.ts';
import { redeemTicket } from './redeem-ticket.ts';

const invalid = expect.objectContaining({ code: 'gate.ticket-invalid' });

async function issue(db: Db, validSeconds = 60) {
  const home = await insertHome(db);
  const mappingId = await insertMapping(db, { ...home, prefix: 'nas' });
  const ticket = createTicket();
  await db
    .insertInto('gateTicket')
    .values({
      ticketHash: hashSecret(ticket),
      userId: home.userId,
      mappingId,
      host: 'nas.localhost',
      expiresAt: sql<Date>`now() + make_interval(secs => ${validSeconds})`,
    })
    .execute();
  return { mappingId, visitor: { ticket, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: 'Firefox' } };
}

async function listVerifications(db: Db) {
  return await db
    .selectFrom('verification')
    .select(['id', 'mappingId', 'host', 'visitorIp', 'userAgent', 'expiresAt'])
    .execute();
}

test('a ticket becomes a verification of 48 hours', async () => {
  await using t = await openTestDb();
  const { mappingId, visitor } = await issue(t.db);

  const verification = await redeemTicket(t.db, visitor);

  const [row] = await listVerifications(t.db);
  expect(row).toMatchObject({ mappingId, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: 'Firefox' });
  expect(verification).toEqual({ verificationId: row?.id, mappingId, expiresAtMs: row?.expiresAt.getTime() });
  const { hours } = await t.db
    .selectFrom('verification')
    .select(sql<number>`extract(epoch from expires_at - created_at)::int / 3600`.as('hours'))
    .executeTakeFirstOrThrow();
  expect(hours).toBe(48);
});

test('of 20 concurrent browsers with one ticket exactly one redeems it', async () => {
  await using t = await openTestDb();
  const { visitor } = await issue(t.db);

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => redeemTicket(t.db, visitor)));

  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(results.filter((result) => result.status === 'rejected').map((result) => result.reason)).toEqual(
    Array.from({ length: 19 }, () => invalid),
  );
  expect(await listVerifications(t.db)).toHaveLength(1);
});

test('an expired ticket is refused', async () => {
  await using t = await openTestDb();
  const { visitor } = await issue(t.db, -1);

  await expect(redeemTicket(t.db, visitor)).rejects.toThrow(invalid);
  expect(await listVerifications(t.db)).toEqual([]);
});

test('a ticket is refused at another host, which does not use it', async () => {
  await using t = await openTestDb();
  const { visitor, mappingId } = await issue(t.db);

  await expect(redeemTicket(t.db, { ...visitor, host: 'other.localhost' })).rejects.toThrow(invalid);
  expect(await redeemTicket(t.db, { ...visitor, host: 'NAS.localhost' })).toMatchObject({ mappingId });
});

test.each(['', 'x', 'a'.repeat(300)])('the made-up ticket %j is refused', async (ticket) => {
  await using t = await openTestDb();
  const { visitor } = await issue(t.db);

  await expect(redeemTicket(t.db, { ...visitor, ticket })).rejects.toThrow(invalid);
});

test('a ticket for a deleted mapping is refused', async () => {
  await using t = await openTestDb();
  const { visitor, mappingId } = await issue(t.db);
  await t.db.deleteFrom('mapping').where('id', '=', mappingId).execute();

  await expect(redeemTicket(t.db, visitor)).rejects.toThrow(invalid);
});

test('a ticket is refused when its host leads to another mapping, or its mapping has another host', async () => {
  await using t = await openTestDb();
  const { visitor, mappingId } = await issue(t.db);
  await t.db.updateTable('mapping').set({ prefix: 'photos' }).execute();

  await expect(redeemTicket(t.db, visitor)).rejects.toThrow(invalid);
  const { deviceId, serverId } = await t.db
    .selectFrom('mapping')
    .select(['deviceId', 'serverId'])
    .executeTakeFirstOrThrow();
  const heir = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  await expect(redeemTicket(t.db, visitor)).rejects.toThrow(invalid);
  await t.db.deleteFrom('mapping').where('id', '=', heir).execute();
  await t.db.updateTable('mapping').set({ prefix: 'nas' }).execute();
  expect(await redeemTicket(t.db, visitor)).toMatchObject({ mappingId });
});
