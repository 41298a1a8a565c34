import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { sendMailCode, sendSmsCode } from './send-code.ts';
import { useSmsCode } from './use-code.ts';

const phone = '+8613800138000';
const browserHash = Buffer.alloc(32, 1);

function openSender(db: Db, { fail, smsPerDay = 2000 }: { fail?: AppError; smsPerDay?: number } = {}) {
  const sent: string[] = [];
  const codes: string[] = [];
  const send = async ({ phone: to, code }: { phone: string; code: string }) => {
    if (fail) throw fail;
    sent.push(to);
    codes.push(code);
  };
  const mails: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const mailer = { send: async ({ to }: { to: string }) => void mails.push(to) };
  const deps = { db, log, smsPerDay, codeKey: Buffer.alloc(32, 5), sms: { send }, mailer: undefined };
  const request = async (to = phone, caller: { ip: string; userId?: number } = { ip: '203.0.113.1' }) =>
    await sendSmsCode(deps, { phone: to, purpose: 'login', caller: { ...caller, browserHash } });
  const mail = async (to: string, ip: string) =>
    await sendMailCode({ ...deps, mailer }, { email: to, purpose: 'captcha_login', caller: { ip, browserHash } });
  return { request, deps, sent, codes, mail, mails, lines };
}

/** Ends the pauses, as if a minute had passed. */
async function passMinute(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', 'like', '%pause%').execute();
}
/** Ends the pauses and the hourly counts, as if an hour had passed. */
async function passHour(db: Db): Promise<void> {
  await passMinute(db);
  await db.deleteFrom('rateCount').where('key', 'like', '%hourly%').execute();
}

/** The database's time in whole milliseconds, as rows have it. */
async function databaseMs(db: Db): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return must(rows[0], 'the time').at.getTime();
}

const number = (index: number) => `+86138001${String(48_000 + index)}`;

test('the second code for a number within a minute is refused with the seconds to wait', async () => {
  await using t = await openTestDb();
  const { request, sent } = openSender(t.db);

  expect(await request()).toEqual({ retryAfterSeconds: 60, expiresInSeconds: 300 });
  const refused = await request(phone, { ip: '198.51.100.9' }).catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: 'code.too-often' });
  expect((refused as AppError).retryAfterSeconds).toBeGreaterThan(30);
  expect((refused as AppError).retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(sent).toEqual([phone]);
});

test('of many requests at once for one number one sends a code', async () => {
  await using t = await openTestDb();
  const { request, sent } = openSender(t.db);

  const results = await Promise.allSettled(Array.from({ length: 10 }, () => request()));

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(sent).toHaveLength(1);
});

test('pause, hour and day have their full length from the first code', async () => {
  await using t = await openTestDb();
  const before = await databaseMs(t.db);
  await openSender(t.db).request(phone, { ip: '203.0.113.1', userId: 7 });
  const after = await databaseMs(t.db);

  const counts = await t.db.selectFrom('rateCount').select(['key', 'endsAt']).orderBy('key').execute();
  const seconds = { pause: 60, hourly: 3_600, daily: 86_400 };
  const begun = counts.map(({ key, endsAt }) => {
    const window = (['pause', 'hourly', 'daily'] as const).find((name) => key.includes(name));
    const beganAtMs = endsAt.getTime() - (window ? seconds[window] * 1000 : 0);
    return { key, isThen: beganAtMs >= before && beganAtMs <= after };
  });
  expect(begun).toEqual([
    { key: 'sms by, daily 7', isThen: true },
    { key: 'sms from, daily 203.0.113.1', isThen: true },
    { key: 'sms from, hourly 203.0.113.1', isThen: true },
    { key: 'sms of all, daily all', isThen: true },
    { key: `sms to, daily ${phone}`, isThen: true },
    { key: `sms to, pause ${phone}`, isThen: true },
  ]);
});

test('one number gets ten codes a day, from all networks together', async () => {
  await using t = await openTestDb();
  const { request, sent } = openSender(t.db);
  for (let i = 0; i < 10; i++) {
    await request(phone, { ip: `203.0.113.${i}` });
    await passMinute(t.db);
  }

  await expect(request(phone, { ip: '198.51.100.9' })).rejects.toMatchObject({ code: 'code.daily-limit' });
  expect(sent).toHaveLength(10);
});

test('one network can request 20 codes an hour and 50 a day', async () => {
  await using t = await openTestDb();
  const { request, sent } = openSender(t.db);
  const network = (i: number) => ({ ip: `2001:db8:1:2::${i.toString(16)}` });
  for (let i = 0; i < 20; i++) await request(number(i), network(i));

  await expect(request(number(20), network(20))).rejects.toMatchObject({ code: 'code.too-often' });
  await request(number(21), { ip: '2001:db8:1:3::1' });
  await passHour(t.db);
  for (let i = 30; i < 50; i++) await request(number(i), network(i));
  await passHour(t.db);
  for (let i = 50; i < 60; i++) await request(number(i), network(i));

  await expect(request(number(60), network(60))).rejects.toMatchObject({ code: 'code.daily-limit' });
  expect(sent).toHaveLength(51);
});

test('all networks of one /48 together can request 100 codes an hour and 250 a day', async () => {
  await using t = await openTestDb();
  const { request, sent } = openSender(t.db);
  const network = (i: number) => ({ ip: `2001:db8:1:${i.toString(16)}::1` });
  for (let i = 0; i < 100; i++) await request(number(i), network(i));

  await expect(request(number(100), network(100))).rejects.toMatchObject({ code: 'code.too-often' });
  await request(number(101), { ip: '2001:db8:2::1' });
  await request(number(102), { ip: '203.0.113.1' });
  await passHour(t.db);
  for (let i = 110; i < 210; i++) await request(number(i), network(i));
  await passHour(t.db);
  for (let i = 210; i < 260; i++) await request(number(i), network(i));
  await expect(request(number(260), network(260))).rejects.toMatchObject({ code: 'code.daily-limit' });
  expect(sent).toHaveLength(252);
});

test('one /48 can request fifty mails an hour in place of a captcha', async () => {
  await using t = await openTestDb();
  const { mail, mails } = openSender(t.db);
  for (let i = 0; i < 50; i++) await mail(`n${i}@example.com`, `2001:db8:1:${i.toString(16)}::1`);

  await expect(mail('n50@example.com', '2001:db8:1:50::1')).rejects.toMatchObject({ code: 'code.too-often' });
  expect(mails).toHaveLength(50);
});

test('the installation sends no more SMS a day than the operator allows, and logs the first refusal', async () => {
  await using t = await openTestDb();
  const { request, sent, lines } = openSender(t.db, { smsPerDay: 3 });
  const from = (i: number) => ({ ip: `203.0.113.${i}`, userId: i });
  for (let i = 0; i < 3; i++) await request(number(i), from(i));
  expect(lines).toEqual([]);

  for (let i = 3; i < 6; i++)
    await expect(request(number(i), from(i))).rejects.toMatchObject({
      code: 'sms.used-up',
      retryAfterSeconds: expect.any(Number),
    });

  expect(sent).toHaveLength(3);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ smsPerDay: 3, msg: 'SMS_PER_DAY is reached: no more are sent for now' }),
  ]);
  // The day of the limit has ended.
  await sql`update rate_count set ends_at = now() where key like 'sms of all%'`.execute(t.db);
  await request(number(3), from(3));
});

test('refused and failed requests do not count against the installation’s limit', async () => {
  await using t = await openTestDb();
  const { request } = openSender(t.db, { smsPerDay: 2 });
  await request();
  for (let i = 0; i < 3; i++) await expect(request()).rejects.toMatchObject({ code: 'code.too-often' });
  const broken = openSender(t.db, { fail: new AppError('sms.unavailable'), smsPerDay: 2 });
  await expect(broken.request(number(1))).rejects.toMatchObject({ code: 'sms.unavailable' });

  await request(number(2));
  await expect(request(number(3))).rejects.toMatchObject({ code: 'sms.used-up' });
});

test('many requests at once do not exceed the daily limit', async () => {
  await using t = await openTestDb();
  const { request, sent } = openSender(t.db, { smsPerDay: 4 });

  await Promise.allSettled(
    Array.from({ length: 12 }, async (_, i) => await request(number(i), { ip: `203.0.113.${i}` })),
  );

  expect(sent).toHaveLength(4);
});

test('one account can request 20 codes a day, from all networks together', async () => {
  await using t = await openTestDb();
  const { request } = openSender(t.db);
  const from = (i: number) => ({ ip: `203.0.113.${i}`, userId: 7 });
  for (let i = 0; i < 20; i++) await request(number(i), from(i));

  await expect(request(number(20), from(20))).rejects.toMatchObject({ code: 'code.daily-limit' });
  await request(number(21), { ...from(21), userId: 8 });
});

test('a client over its limit does not start the pause of another number', async () => {
  await using t = await openTestDb();
  const { request } = openSender(t.db);
  for (let i = 0; i < 20; i++) await request(number(i));

  await expect(request(phone)).rejects.toMatchObject({ code: 'code.too-often' });
  await request(phone, { ip: '198.51.100.9' });
});

test('after a failure to send, the next code can be requested at once', async () => {
  await using t = await openTestDb();
  const broken = openSender(t.db, { fail: new AppError('sms.unavailable') });
  await expect(broken.request()).rejects.toMatchObject({ code: 'sms.unavailable' });

  expect(await openSender(t.db).request()).toMatchObject({ retryAfterSeconds: 60 });
});

test('a failure to send counts for the network, not for the number or the account', async () => {
  await using t = await openTestDb();
  const broken = openSender(t.db, { fail: new AppError('sms.unavailable') });
  const caller = { ip: '203.0.113.1', userId: 7 };
  for (let i = 0; i < 2; i++)
    await expect(broken.request(phone, caller)).rejects.toMatchObject({ code: 'sms.unavailable' });

  const counts = await t.db.selectFrom('rateCount').select(['key', 'hits']).orderBy('key').execute();

  expect(counts).toEqual([
    { key: 'sms from, daily 203.0.113.1', hits: 2 },
    { key: 'sms from, hourly 203.0.113.1', hits: 2 },
  ]);
});

test('an earlier code stays valid when the next one could not be sent', async () => {
  await using t = await openTestDb();
  const { request, deps, codes } = openSender(t.db);
  await request();
  await passMinute(t.db);
  await expect(openSender(t.db, { fail: new AppError('sms.unavailable') }).request()).rejects.toThrow(AppError);

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code: codes[0] ?? '' });
});

test('an installation without SMS and mail refuses, and counts nothing', async () => {
  await using t = await openTestDb();
  const { deps } = openSender(t.db);
  const caller = { ip: '203.0.113.1', browserHash };

  const sms = sendSmsCode({ ...deps, sms: undefined }, { phone, purpose: 'login', caller });
  const mail = sendMailCode(deps, { email: 'li@example.com', purpose: 'bind', caller });

  await expect(sms).rejects.toMatchObject({ code: 'sms.unavailable' });
  await expect(mail).rejects.toMatchObject({ code: 'mail.unavailable' });
  expect(await t.db.selectFrom('rateCount').select('key').execute()).toEqual([]);
});
