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

test('a code is six digits, lives five minutes and is used once', async () => {
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

test('of many uses of one code at once exactly one gets through', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const uses = Array.from({ length: 10 }, () => useSmsCode(deps, { browserHash, phone, purpose: 'login', code }));

  expect(codesOf(await Promise.allSettled(uses))).toEqual([...Array<string>(9).fill('code.expired'), 'used']);
});

test('five tries are judged, however many come at once; then the right code is worth nothing', async () => {
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

test('after four wrong tries the right code still counts', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  for (let i = 0; i < 4; i++)
    await useSmsCode(deps, { browserHash, phone, purpose: 'login', code: other(code) }).catch(() => {});

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });
});

test('a code is for its purpose, its number and its channel only', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const elsewhere = [
    useSmsCode(deps, { browserHash, phone, purpose: 'reset', code }),
    useSmsCode(deps, { browserHash, phone: former, purpose: 'login', code }),
    useMailCode(deps, { browserHash, email: phone, purpose: 'bind', code }),
  ];

  expect(codesOf(await Promise.allSettled(elsewhere))).toEqual(Array<string>(3).fill('code.expired'));
});

test('a code that is too old is worth nothing, and is cleaned up', async () => {
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

test('another browser can neither use a code, nor use its tries up, nor hear whether there is one', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  const strangers = [Buffer.alloc(32, 2), undefined];

  for (const number of [phone, former]) {
    const tries = Array.from({ length: 12 }, (_, i) =>
      useSmsCode(deps, {
        browserHash: strangers[i % 2],
        phone: number,
        purpose: 'login',
        code: i < 6 ? code : other(code),
      }),
    );
    expect(codesOf(await Promise.allSettled(tries))).toEqual(Array<string>(12).fill('code.expired'));
  }

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });
});

test('a code that another browser has sent to a number leaves the one before', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);
  await t.db.deleteFrom('rateCount').execute();
  const stranger = Buffer.alloc(32, 2);
  const later = await sendTo(t.db, phone, 'login', stranger);
  for (let i = 0; i < 5; i++) {
    await useSmsCode(deps, { browserHash: stranger, phone, purpose: 'login', code: other(later.code) }).catch(() => {});
  }

  await useSmsCode(deps, { browserHash, phone, purpose: 'login', code });
});

test('a new code ends the one before, with tries of its own', async () => {
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

test('the table holds nothing from which a code could be found without the key', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const stranger = { ...deps, codeKey: Buffer.alloc(32, 6) };

  await expect(useSmsCode(stranger, { browserHash, phone, purpose: 'login', code })).rejects.toMatchObject({
    code: 'code.wrong',
  });
  const row = await t.db.selectFrom('oneTimeCode').select('codeHash').executeTakeFirstOrThrow();
  expect(row.codeHash.includes(code)).toBe(false);
});

test('two codes are used together or not at all, and a wrong one costs both a try', async () => {
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

test('guessing one of two codes does not get more tries than five', async () => {
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

test('a code cannot be used inside a transaction, which could forget its tries', async () => {
  await using t = await openTestDb();
  const { deps, code } = await sendTo(t.db, phone);

  const attempt = t.db
    .transaction()
    .execute(async (tx) => await useSmsCode({ ...deps, db: tx }, { browserHash, phone, purpose: 'login', code }));

  await expect(attempt).rejects.toThrow('outside transactions');
});

test('a mail code fits the address in any case of letters', async () => {
  await using t = await openTestDb();
  const { deps, sent } = messages(t.db);
  await sendMailCode(deps, { email: 'Li@Example.com', purpose: 'bind', caller: caller() });

  expect(sent).toMatchObject([{ to: 'Li@Example.com', code: expect.stringMatching(/^\d{6}$/) }]);
  await useMailCode(deps, { browserHash, email: 'li@example.COM', purpose: 'bind', code: sent[0]!.code });
});
