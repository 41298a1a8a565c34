import { AppError } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { sendMailCode, sendSmsCode } from './send-code.ts';
import { useSmsCode } from './use-code.ts';

const phone = '+8613800138000';
const browserHash = Buffer.alloc(32, 1);

function openSender(db: Db, fail?: AppError) {
  const sent: string[] = [];
  const codes: string[] = [];
  const send = async ({ phone: to, code }: { phone: string; code: string }) => {
    if (fail) throw fail;
    sent.push(to);
    codes.push(code);
  };
  const deps = { db, codeKey: Buffer.alloc(32, 5), sms: { send }, mailer: undefined };
  const ask = async (to = phone, caller: { ip: string; userId?: number } = { ip: '203.0.113.1' }) =>
    await sendSmsCode(deps, { phone: to, purpose: 'login', caller: { ...caller, browserHash } });
  return { ask, deps, sent, codes };
}

/** As if this much of the day had passed since every count of a minute or an hour began. */
async function passMinute(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', 'like', '%pause%').execute();
}
async function passHour(db: Db): Promise<void> {
  await passMinute(db);
  await db.deleteFrom('rateCount').where('key', 'like', '%hourly%').execute();
}

const number = (index: number) => `+86138001${String(48_000 + index)}`;

test('the second code for a number within a minute is refused with the seconds to wait', async () => {
  await using t = await openTestDb();
  const { ask, sent } = openSender(t.db);

  expect(await ask()).toEqual({ retry_after: 60, expires_in: 300 });
  const refused = await ask(phone, { ip: '198.51.100.9' }).catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: 'code.too-often' });
  expect((refused as AppError).retryAfterSeconds).toBeGreaterThan(30);
  expect((refused as AppError).retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(sent).toEqual([phone]);
});

test('of many askings at once for one number one code is sent', async () => {
  await using t = await openTestDb();
  const { ask, sent } = openSender(t.db);

  const results = await Promise.allSettled(Array.from({ length: 10 }, () => ask()));

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(sent).toHaveLength(1);
});

test('one number gets ten codes a day, wherever they are asked from', async () => {
  await using t = await openTestDb();
  const { ask, sent } = openSender(t.db);
  for (let i = 0; i < 10; i++) {
    await ask(phone, { ip: `203.0.113.${i}` });
    await passMinute(t.db);
  }

  await expect(ask(phone, { ip: '198.51.100.9' })).rejects.toMatchObject({ code: 'code.daily-limit' });
  expect(sent).toHaveLength(10);
});

test('one network asks 20 times an hour and 50 times a day', async () => {
  await using t = await openTestDb();
  const { ask, sent } = openSender(t.db);
  const network = (i: number) => ({ ip: `2001:db8:1:2::${i.toString(16)}` });
  for (let i = 0; i < 20; i++) await ask(number(i), network(i));

  await expect(ask(number(20), network(20))).rejects.toMatchObject({ code: 'code.too-often' });
  await ask(number(21), { ip: '2001:db8:1:3::1' });
  await passHour(t.db);
  for (let i = 30; i < 50; i++) await ask(number(i), network(i));
  await passHour(t.db);
  for (let i = 50; i < 60; i++) await ask(number(i), network(i));

  await expect(ask(number(60), network(60))).rejects.toMatchObject({ code: 'code.daily-limit' });
  expect(sent).toHaveLength(51);
});

test('one account asks 20 times a day, from wherever', async () => {
  await using t = await openTestDb();
  const { ask } = openSender(t.db);
  const from = (i: number) => ({ ip: `203.0.113.${i}`, userId: 7 });
  for (let i = 0; i < 20; i++) await ask(number(i), from(i));

  await expect(ask(number(20), from(20))).rejects.toMatchObject({ code: 'code.daily-limit' });
  await ask(number(21), { ...from(21), userId: 8 });
});

test('whoever is over their limit cannot keep a stranger’s number waiting', async () => {
  await using t = await openTestDb();
  const { ask } = openSender(t.db);
  for (let i = 0; i < 20; i++) await ask(number(i));

  await expect(ask(phone)).rejects.toMatchObject({ code: 'code.too-often' });
  await ask(phone, { ip: '198.51.100.9' });
});

test('who got nothing because sending failed may ask again at once', async () => {
  await using t = await openTestDb();
  const broken = openSender(t.db, new AppError('sms.unavailable'));
  await expect(broken.ask()).rejects.toMatchObject({ code: 'sms.unavailable' });

  expect(await openSender(t.db).ask()).toMatchObject({ retry_after: 60 });
});

test('what could not be sent costs neither number nor account a code of the day, but the network one', async () => {
  await using t = await openTestDb();
  const broken = openSender(t.db, new AppError('sms.unavailable'));
  const caller = { ip: '203.0.113.1', userId: 7 };
  for (let i = 0; i < 2; i++)
    await expect(broken.ask(phone, caller)).rejects.toMatchObject({ code: 'sms.unavailable' });

  const counts = await t.db.selectFrom('rateCount').select(['key', 'hits']).orderBy('key').execute();

  expect(counts).toEqual([
    { key: 'sms from, daily 203.0.113.1', hits: 2 },
    { key: 'sms from, hourly 203.0.113.1', hits: 2 },
  ]);
});

test('the code in hand still counts when the next one could not be sent', async () => {
  await using t = await openTestDb();
  const { ask, deps, codes } = openSender(t.db);
  await ask();
  await passMinute(t.db);
  await expect(openSender(t.db, new AppError('sms.unavailable')).ask()).rejects.toThrow(AppError);

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code: codes[0] ?? '' });
});

test('an installation that sends nothing says so, and counts nothing', async () => {
  await using t = await openTestDb();
  const { deps } = openSender(t.db);
  const caller = { ip: '203.0.113.1', browserHash };

  const sms = sendSmsCode({ ...deps, sms: undefined }, { phone, purpose: 'login', caller });
  const mail = sendMailCode(deps, { email: 'li@example.com', purpose: 'bind', caller });

  await expect(sms).rejects.toMatchObject({ code: 'sms.unavailable' });
  await expect(mail).rejects.toMatchObject({ code: 'mail.unavailable' });
  expect(await t.db.selectFrom('rateCount').select('key').execute()).toEqual([]);
});
