import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import type { Db } from '../../db/driver.ts';
import { createAccountToken, findTokenOwner, readAccountToken } from './tokens/account-token.ts';
import { countAttempt } from '../../http/limits/failed-attempts.ts';
import { logIn, loginKey } from './log-in.ts';
import { issueTokenSign, useTokenSign } from './tokens/token-sign.ts';

const sealingKey = Buffer.alloc(32, 3);

async function insertUser(db: Db, username = 'li'): Promise<number> {
  const { id } = await db.insertInto('userAccount').values({ username }).returning('id').executeTakeFirstOrThrow();
  return id;
}

test('of twenty concurrent logins with wrong passwords ten are checked and ten are refused', async () => {
  await using t = await openTestDb();
  const credentials = { id: await insertUser(t.db), passwordHash: null };

  const attempts = Array.from({ length: 20 }, () => logIn(t.db, { credentials, failureKey: loginKey('li') }, 'wrong'));
  const codes = (await Promise.allSettled(attempts)).map(
    (result) => result.status === 'rejected' && result.reason.code,
  );

  expect(codes.filter((code) => code === 'login.failed')).toHaveLength(10);
  expect(codes.filter((code) => code === 'login.locked')).toHaveLength(10);
  const rows = await t.db.selectFrom('failedAttempt').select(['key', 'failures']).execute();
  expect(rows).toEqual([{ key: 'name:li', failures: 10 }]);
});

test('failures of an hour ago do not add up to a lock', async () => {
  await using t = await openTestDb();
  for (let i = 0; i < 9; i++) await countAttempt(t.db, 'name:li');
  await t.db
    .updateTable('failedAttempt')
    .set({ lastAt: new Date(Date.now() - 3_600_000) })
    .execute();

  await expect(countAttempt(t.db, 'name:li')).resolves.toBeUndefined();
  await expect(countAttempt(t.db, 'name:li')).resolves.toBeUndefined();
});

test('the database holds no usable account token', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db);
  await createAccountToken(t.db, sealingKey, id);
  const token = await readAccountToken(t.db, sealingKey, id);

  const row = await t.db.selectFrom('accountToken').select(['tokenHash', 'tokenSealed']).executeTakeFirstOrThrow();

  expect(row.tokenSealed.includes(token)).toBe(false);
  expect(row.tokenHash.includes(token)).toBe(false);
  await expect(readAccountToken(t.db, Buffer.alloc(32, 4), id)).rejects.toThrow();
});

test('a sealed token can only be unsealed for its own account', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db);
  const thief = await insertUser(t.db, 'thief');
  await createAccountToken(t.db, sealingKey, id);
  await t.db.updateTable('accountToken').set({ userId: thief }).execute();

  await expect(readAccountToken(t.db, sealingKey, thief)).rejects.toThrow();
});

test('only a complete, current account token has an owner; a rotated one is accepted for 24 hours', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db);
  await createAccountToken(t.db, sealingKey, id);
  const token = await readAccountToken(t.db, sealingKey, id);
  const retire = (hoursAgo: number) =>
    t.db
      .updateTable('accountToken')
      .set({ retiredAt: new Date(Date.now() - hoursAgo * 3_600_000) })
      .execute();

  expect(await findTokenOwner(t.db, token)).toBe(id);
  expect(await findTokenOwner(t.db, token.slice(0, -1))).toBeUndefined();
  expect(await findTokenOwner(t.db, `tt_${'x'.repeat(43)}`)).toBeUndefined();
  await retire(23);
  expect(await findTokenOwner(t.db, token)).toBe(id);
  expect(await findTokenOwner(t.db, `tt_${'x'.repeat(43)}`)).toBeUndefined();
  await retire(25);
  expect(await findTokenOwner(t.db, token)).toBeUndefined();
});

test('of many concurrent devices with the same binding proof one is bound', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db);
  const { tokenId, sign } = await issueTokenSign(t.db, id);

  const owners = await Promise.all(Array.from({ length: 8 }, () => useTokenSign(t.db, `tb_${tokenId}.${sign}`)));

  expect(owners.filter((owner) => owner === id)).toHaveLength(1);
  expect(owners.filter((owner) => owner === undefined)).toHaveLength(7);
});

test('a binding proof is refused when it is expired, altered or malformed', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db);
  const { tokenId, sign, expiresAt } = await issueTokenSign(t.db, id);
  const other = await issueTokenSign(t.db, id);

  expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(9 * 60_000);
  expect(await useTokenSign(t.db, `tb_${tokenId}.${other.sign}`)).toBeUndefined();
  expect(await useTokenSign(t.db, `tb_${tokenId}`)).toBeUndefined();
  expect(await useTokenSign(t.db, 'garbage')).toBeUndefined();
  await t.db
    .updateTable('tokenSign')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();
  expect(await useTokenSign(t.db, `tb_${tokenId}.${sign}`)).toBeUndefined();
});
