import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { check, openGateApp, ticketOf } from '../../testing/open-gate-app.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

const places = [
  ['mapping', (gate: Gate) => `/api/user/records/${gate.mappingId}/`],
  ['device', (gate: Gate) => `/api/user/routers/${gate.deviceId}/`],
] as const;

test.each(places)('who comes in while the %s is deleted is sent out, and on record', async (_what, urlOf) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const ticket = ticketOf(await check(gate.owner));

  // The visitor has the mapping and waits for the ticket.
  const { came, removed } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('gateTicket').select('ticketHash').forUpdate().execute();
    const attempts = { came: gate.redeem(ticket), removed: Promise.resolve<unknown>(undefined) };
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    attempts.removed = gate.owner.call('DELETE', urlOf(gate));
    await expect.poll(async () => await countWaiting(t)).toBe(2);
    return attempts;
  });

  const { verificationId: id } = await came;
  expect(await removed).toMatchObject({ status: 200 });
  expect(await gate.records()).toMatchObject([{ id, mapping_deleted: true, revoked_at: expect.any(String) }]);
});

test.each(places)(
  'who lets an address pass or extends a record while the %s is deleted is told so',
  async (_, urlOf) => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    const { verificationId: id } = await gate.redeem(ticketOf(await check(gate.owner)));
    await t.db
      .updateTable('verification')
      .set({ expiresAt: new Date(0) })
      .execute();

    const { removed, allowed, extended } = await t.db.transaction().execute(async (tx) => {
      await tx.selectFrom('mapping').select('id').forUpdate().execute();
      const attempts = {
        removed: gate.owner.call('DELETE', urlOf(gate)),
        allowed: Promise.resolve<unknown>(undefined),
        extended: Promise.resolve<unknown>(undefined),
      };
      await expect.poll(async () => await countWaiting(t)).toBe(1);
      attempts.allowed = gate.owner.call('POST', `/api/user/records/${gate.mappingId}/verified_ip/`);
      await expect.poll(async () => await countWaiting(t)).toBe(2);
      attempts.extended = gate.owner.call('PATCH', `/api/user/verifications/${id}/`, { extend_hours: 24 });
      await expect.poll(async () => await countWaiting(t)).toBe(3);
      return attempts;
    });

    expect(await removed).toMatchObject({ status: 200 });
    expect(await allowed).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
    expect(await extended).toMatchObject({ status: 409, body: { code: 'verification.address-deleted' } });
    expect(await gate.records()).toMatchObject([{ id, revoked_at: null }]);
  },
);
