import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { deleteExpiredCodes } from './code-store.ts';
import { sendMailCode, sendSmsCode } from './send-code.ts';
import { useMailCode, useSmsCode, useTwoSmsCodes } from './use-code.ts';

const phone = '+8613800138000';
const former = '+8613900139000';

type Sent = { to: string; code: string };

function messages(db: Db) {
  const sent: Sent[] = [];
  const deps = {
    db,
    log: pino({ level: 'silent' }),
    smsPerDay: 2000,
    codeKey: Buffer.alloc(32, 5),
    sms: {
      send: async (message: { phone: string; code: string }) => void sent.push({ ...message, to: message.phone }),
    },
    mailer: {
      send: async (mail: { to: string; text: string }) =>
        void sent.push({ to: mail.to, code: /\d{6}/.exec(mail.text)?.[0] ?? '' }),
    },
  };
  return { deps, sent };
}

let callers = 0;
const browserHash = Buffer.alloc(32, 1);
const caller = (browser = browserHash) => ({ ip: `203.0.113.${++callers}`, browserHash: browser });

async function sendTo(
  db: Db,
  number: string,
  purpose: 'login' | 'bind' | 'rebind' | 'rebind_old' = 'login',
  browser = browserHash,
) {
  const { deps, sent } = messages(db);
  await sendSmsCode(deps, { phone: number, purpose, caller: caller(browser) });
  return { deps, code: sent[0]!.code };
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const codesOf = (results: PromiseSettledResult<void>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'used' : String(result.reason.code))).toSorted();

test('a code has six digits, is valid for five minutes and can be used once', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  const row = await t.db.selectFrom('oneTimeCode').select('expiresAt').executeTakeFirstOrThrow();

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });

  expect(code).toMatch(/^\d{6}$/);
  expect(row.expiresAt.getTime() - Date.now()).toBeGreaterThan(240_000);
  expect(row.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(300_000);
  await expect(useSmsCode(deps, { browserHash, phone, purpose: 'login', code })).rejects.toMatchObject({
    code: 'code.expired',
  });
});

test('of many uses of one code at once one succeeds', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const uses = Array.from({ length: 10 }, () => useSmsCode(deps, { browserHash, phone, purpose: 'login', code }));

  expect(codesOf(await Promise.allSettled(uses))).toEqual([...Array<string>(9).fill('code.expired'), 'used']);
});

test('five tries are checked, also of many at once; then the right code has expired', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const tries = Array.from({ length: 12 }, () =>
    useSmsCode(deps, { browserHash, phone, purpose: 'login', code: other(code) }),
  );
  const outcomes = codesOf(await Promise.allSettled(tries));

  expect(outcomes.filter((outcome) => outcome === 'code.wrong')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'code.expired')).toHaveLength(7);
  await expect(useSmsCode(deps, { browserHash, phone, purpose: 'login', code })).rejects.toMatchObject({
    code: 'code.expired',
  });
});

test('after four wrong tries the right code is accepted', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  for (let i = 0; i < 4; i++)
    await useSmsCode(deps, { browserHash, phone, purpose: 'login', code: other(code) }).catch(() => {});

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });
});

test('a code is valid only for its purpose, number and channel', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const elsewhere = [
    useSmsCode(deps, { browserHash, phone, purpose: 'reset', code }),
    useSmsCode(deps, { browserHash, phone: former, purpose: 'login', code }),
    useMailCode(deps, { browserHash, email: phone, purpose: 'bind', code }),
  ];

  expect(codesOf(await Promise.allSettled(elsewhere))).toEqual(Array<string>(3).fill('code.expired'));
});

test('an expired code is refused, and is deleted', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  await t.db
    .updateTable('oneTimeCode')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();

  await expect(useSmsCode(deps, { browserHash, phone, purpose: 'login', code })).rejects.toMatchObject({
    code: 'code.expired',
  });
  await deleteExpiredCodes(t.db);
  expect(await t.db.selectFrom('oneTimeCode').select('address').execute()).toEqual([]);
});

test('another browser can neither use a code, nor its tries, nor learn whether it exists', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  const otherBrowsers = [Buffer.alloc(32, 2), undefined];

  for (const number of [phone, former]) {
    const tries = Array.from({ length: 12 }, (_, i) =>
      useSmsCode(deps, {
        browserHash: otherBrowsers[i % 2],
        phone: number,
        purpose: 'login',
        code: i < 6 ? code : other(code),
      }),
    );
    expect(codesOf(await Promise.allSettled(tries))).toEqual(Array<string>(12).fill('code.expired'));
  }

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });
});

test('a code that another browser requests for a number leaves the first one valid', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  await t.db.deleteFrom('rateCount').execute();
  const otherBrowser = Buffer.alloc(32, 2);
  const later = await sendTo(t.db, phone, 'login', otherBrowser);
  for (let i = 0; i < 5; i++) {
    await useSmsCode(deps, { browserHash: otherBrowser, phone, purpose: 'login', code: other(later.code) }).catch(
      () => {},
    );
  }

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });
});

test('a new code replaces the earlier one and has five tries again', async () => {
  await using t = await openTestDb();
  const first = await sendTo(t.db, phone);
  for (let i = 0; i < 5; i++)
    await useSmsCode(first.deps, { browserHash, phone, purpose: 'login', code: '' }).catch(() => {});
  await t.db.deleteFrom('rateCount').execute();
  const second = await sendTo(t.db, phone);

  if (first.code !== second.code) {
    const late = useSmsCode(first.deps, { browserHash, phone, purpose: 'login', code: first.code });
    await expect(late).rejects.toMatchObject({ code: 'code.wrong' });
  }
  await useSmsCode(second.deps, { browserHash, phone, purpose: 'login', code: second.code });
});

test('without the key, no code can be found in the table', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const withOtherKey = { ...deps, codeKey: Buffer.alloc(32, 6) };

  await expect(useSmsCode(withOtherKey, { browserHash, phone, purpose: 'login', code })).rejects.toMatchObject({
    code: 'code.wrong',
  });
  const row = await t.db.selectFrom('oneTimeCode').select('codeHash').executeTakeFirstOrThrow();
  expect(row.codeHash.includes(code)).toBe(false);
});

test('two codes are used together or not at all, and a wrong one counts as a try of both', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone, 'rebind');
  const { code: oldCode } = await sendTo(t.db, former, 'rebind_old');
  const use = (given: string, old: string) =>
    useTwoSmsCodes(
      deps,
      { browserHash, phone: former, purpose: 'rebind_old', code: old },
      { browserHash, phone, purpose: 'rebind', code: given },
    );

  await expect(use(other(code), oldCode)).rejects.toMatchObject({ code: 'code.wrong' });
  await expect(use(code, other(oldCode))).rejects.toMatchObject({ code: 'code.wrong' });
  const outcomes = codesOf(await Promise.allSettled([use(code, oldCode), use(code, oldCode)]));

  expect(outcomes).toEqual(['code.expired', 'used']);
});

test('one of two codes can be tried five times', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone, 'rebind');
  const { code: oldCode } = await sendTo(t.db, former, 'rebind_old');
  const guess = () =>
    useTwoSmsCodes(
      deps,
      { browserHash, phone: former, purpose: 'rebind_old', code: other(oldCode) },
      { browserHash, phone, purpose: 'rebind', code },
    );

  const outcomes = codesOf(await Promise.allSettled(Array.from({ length: 8 }, guess)));

  expect(outcomes.filter((outcome) => outcome === 'code.wrong')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'code.expired')).toHaveLength(3);
});

test('a code cannot be used in a transaction', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const attempt = t.db
    .transaction()
    .execute(async (tx) => await useSmsCode({ ...deps, db: tx }, { browserHash, phone, purpose: 'login', code }));

  await expect(attempt).rejects.toThrow('outside transactions');
});

test('a mail code is valid for its address in any letter case', async () => {
  await using t = await openTestDb();
  const { deps, sent } = messages(t.db);
  await sendMailCode(deps, { email: 'Li@Example.com', purpose: 'bind', caller: caller() });

  expect(sent).toMatchObject([{ to: 'Li@Example.com', code: expect.stringMatching(/^\d{6}$/) }]);
  await useMailCode(deps, { browserHash, email: 'li@example.COM', purpose: 'bind', code: sent[0]!.code });
});
