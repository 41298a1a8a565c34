import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { check, ticketOf } from '../../testing/apps/open-gate-app.ts';
import { openLoginProofs } from '../../testing/apps/open-login-proofs.ts';
import { endSessionById } from './end-sessions.ts';

const invalid = expect.objectContaining({ code: 'gate.ticket-invalid' });

test('a visitor is refused while their session is being ended', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const browser = await li.browserOf();
  const ticket = ticketOf(await check(browser));
  const id = await li.sessionId(browser);

  const { redeemed, checked, allowed } = await t.db.transaction().execute(async (tx) => {
    await endSessionById(tx, { id, userId: li.userId });
    const attempts = {
      redeemed: li.redeem(ticket).catch((error: unknown) => error),
      checked: check(browser),
      allowed: browser.call('POST', `/api/user/records/${li.mappingId}/verified_ip/`),
    };
    await expect.poll(async () => await countWaiting(t)).toBe(3);
    return attempts;
  });

  expect(await redeemed).toEqual(invalid);
  expect(await checked).toMatchObject({ allowed: false, reason: 'login_required' });
  expect(await allowed).toMatchObject({ status: 401, body: { code: 'session.required' } });
  expect(await t.db.selectFrom('verification').select('id').execute()).toEqual([]);
});

test('a verification in progress when its session ends is revoked', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const browser = await li.browserOf();
  const ticket = ticketOf(await check(browser));
  const id = await li.sessionId(browser);

  const { redeemed, ended } = await t.db.transaction().execute(async (owner) => {
    await owner.selectFrom('mapping').select('id').where('id', '=', li.mappingId).forUpdate().execute();
    const attempts = { redeemed: li.redeem(ticket), ended: Promise.resolve<unknown>(undefined) };
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    attempts.ended = t.db.transaction().execute(async (tx) => await endSessionById(tx, { id, userId: li.userId }));
    await expect.poll(async () => await countWaiting(t)).toBe(2);
    return attempts;
  });

  const { verificationId } = await redeemed;
  await ended;
  const rows = await t.db.selectFrom('verification').select(['id', 'revokedAt']).execute();
  expect(rows).toEqual([{ id: verificationId, revokedAt: expect.any(Date) }]);
});
