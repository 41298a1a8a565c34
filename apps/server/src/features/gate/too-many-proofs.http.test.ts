import type { CheckReply } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';

const full = { status: 429, body: { code: 'gate.too-many-proofs' } };
const checkUrl = `/custom/check/?url=${encodeURIComponent('http://nas.localhost:8080/')}`;

/** Inserts this proof so many times more. */
async function repeatProof({ db }: TestDb, id: number, times: number): Promise<void> {
  await sql`
    insert into verification (user_id, owner_id, device_id, mapping_id, host, visitor_ip, visitor_network, user_agent, expires_at,
      cookie_expires_at, kind, granted_by, session_id, revoked_at)
    select user_id, owner_id, device_id, mapping_id, host, visitor_ip, visitor_network, user_agent, expires_at,
      cookie_expires_at, kind, granted_by, session_id, now()
    from verification, generate_series(1, ${times}::integer) where id = ${id}`.execute(db);
}

test('one session gets 500 proofs in 48 hours, ended ones included, and another session of the owner gets more', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const thief = await gate.app.browserOf(gate.userId);
  const late = ticketOf(await check(thief));
  const { verificationId } = await gate.redeem(ticketOf(await check(thief)));
  await repeatProof(t, verificationId, 498);
  expect(await check(thief)).toMatchObject({ allowed: true });
  await repeatProof(t, verificationId, 1);

  expect(await thief.call('GET', checkUrl)).toMatchObject(full);
  await expect(gate.redeem(late)).rejects.toThrow(expect.objectContaining({ code: 'gate.too-many-proofs' }));
  expect(await gate.redeem(ticketOf(await check(gate.owner)))).toMatchObject({ mappingId: gate.mappingId });
});

test('one network gets 1 000 proofs by a password, and another network gets more', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'open sesame 1' });
  const visitor = gate.app.browser();
  await check(visitor);
  const enter = async (ip: string) => {
    const body = { url: 'http://nas.localhost:8080/', password: 'open sesame 1' };
    return await visitor.call('POST', '/custom/check/', body, { 'x-forwarded-for': ip });
  };
  const first = await enter('203.0.113.9');
  const { verificationId } = await gate.redeem(ticketOf(first.body as CheckReply));
  await repeatProof(t, verificationId, 999);

  expect(await enter('203.0.113.9')).toMatchObject(full);
  expect(await enter('203.0.113.10')).toMatchObject({ status: 200, body: { allowed: true } });
});
