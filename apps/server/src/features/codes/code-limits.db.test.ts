import { must } from '@tongtu/base';
import { AppError, type ErrorCode } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { mailSubject, type CodeSubject } from './code.ts';
import { claimSending, type LimitDeps, type Sending } from './code-limits.ts';

const minute = 60;
const hour = 3_600;
const day = 86_400;

/** Who sends what to whom; a number stands for each, so that tests can let one of them be the same. */
type Asking = { to: number; network: number; site: number; account?: number };

const kinds = {
  sms: ({ to }) => ({ channel: 'sms', purpose: 'login', address: `+86138001${48_000 + to}` }),
  'sms to its owner': ({ to }) => ({ channel: 'sms', purpose: 'confirm', address: `+86138001${48_000 + to}` }),
  mail: ({ to }) => mailSubject('bind', `n${to}@example.com`),
  'captcha mail': ({ to }) => mailSubject('captcha_login', `n${to}@example.com`),
} as const satisfies Record<string, (asking: Asking) => CodeSubject>;
type Kind = keyof typeof kinds;

type Limit = {
  kind: Kind;
  /** What the limit counts: askings that have this in common. */
  by: keyof Asking;
  name: string;
  max: number;
  windowSeconds: number;
  code: ErrorCode;
};

const often = 'code.too-often';
const daily = 'code.daily-limit';
const limits: Limit[] = [
  ...(['sms', 'mail'] as const).flatMap((kind): Limit[] => [
    { kind, by: 'to', name: `${kind} to, pause`, max: 1, windowSeconds: minute, code: often },
    { kind, by: 'to', name: `${kind} to, daily`, max: 10, windowSeconds: day, code: daily },
    { kind, by: 'network', name: `${kind} from, hourly`, max: 20, windowSeconds: hour, code: often },
    { kind, by: 'network', name: `${kind} from, daily`, max: 50, windowSeconds: day, code: daily },
    { kind, by: 'site', name: `${kind} from /48, hourly`, max: 100, windowSeconds: hour, code: often },
    { kind, by: 'site', name: `${kind} from /48, daily`, max: 250, windowSeconds: day, code: daily },
    { kind, by: 'account', name: `${kind} by, daily`, max: 20, windowSeconds: day, code: daily },
  ]),
  { kind: 'sms to its owner', by: 'to', name: 'sms to its owner, pause', max: 1, windowSeconds: minute, code: often },
  { kind: 'sms to its owner', by: 'to', name: 'sms to its owner, daily', max: 10, windowSeconds: day, code: daily },
  ...((kind: Kind): Limit[] => [
    { kind, by: 'to', name: `${kind} to, pause`, max: 1, windowSeconds: minute, code: often },
    { kind, by: 'to', name: `${kind} to, daily`, max: 5, windowSeconds: day, code: daily },
    { kind, by: 'network', name: `${kind} from, hourly`, max: 10, windowSeconds: hour, code: often },
    { kind, by: 'network', name: `${kind} from, daily`, max: 50, windowSeconds: day, code: daily },
    { kind, by: 'site', name: `${kind} from /48, hourly`, max: 50, windowSeconds: hour, code: often },
    { kind, by: 'site', name: `${kind} from /48, daily`, max: 250, windowSeconds: day, code: daily },
  ])('captcha mail'),
];

function sendingOf(kind: Kind, asking: Asking): Sending {
  const { network, site, account } = asking;
  const ip = `2001:db8:${site.toString(16)}:${network.toString(16)}::1`;
  const isOwner = kind === 'sms to its owner';
  return { subject: kinds[kind](asking), caller: { ip, browserHash: Buffer.alloc(32, 1), userId: account, isOwner } };
}

/** The n-th asking: like no other one, but for what is given. */
function asking(n: number, same: Partial<Asking>): Asking {
  return { to: n, network: n, site: n, account: n, ...same };
}

function depsOf(db: Db, smsPerDay = 2000): LimitDeps {
  return { db, smsPerDay, log: { error: () => undefined } };
}

async function databaseMs(db: Db): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return must(rows[0], 'the time').at.getTime();
}

async function listCounts(db: Db): Promise<{ key: string; hits: number; endsAt: Date }[]> {
  return await db.selectFrom('rateCount').select(['key', 'hits', 'endsAt']).orderBy('key').execute();
}

/** As if so much time had passed since the last code. */
async function passMinute(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', 'like', '%pause%').execute();
}

test.each(limits)('$name: $max in $windowSeconds s, then $code', async (limit) => {
  await using t = await openTestDb();
  const deps = depsOf(t.db);
  // Networks of one /48 differ among themselves.
  const same = { [limit.by]: 1, ...(limit.by === 'network' && { site: 1 }) };
  const ask = async (n: number, what: Partial<Asking>) =>
    await claimSending(deps, sendingOf(limit.kind, asking(n, what)));
  const before = await databaseMs(t.db);
  await ask(1, same);
  const after = await databaseMs(t.db);
  const counted = (await listCounts(t.db)).filter(({ key }) => key.startsWith(`${limit.name} `));
  const beganMs = counted.map(({ endsAt }) => endsAt.getTime() - limit.windowSeconds * 1000);
  if (limit.max > 1) {
    await passMinute(t.db);
    await t.db
      .updateTable('rateCount')
      .set({ hits: limit.max - 1 })
      .where('key', '=', counted[0]?.key ?? '')
      .execute();
    await ask(2, same);
    await passMinute(t.db);
  }
  const full = await listCounts(t.db);

  const refused = await ask(3, same).catch((error: unknown) => error);

  expect(counted).toHaveLength(1);
  expect(beganMs.every((began) => began >= before && began <= after)).toBe(true);
  expect(refused).toMatchObject({ code: limit.code });
  const { retryAfterSeconds = 0 } = refused as AppError;
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(limit.windowSeconds);
  // Whoever is refused has used up nothing, neither here nor of what else is counted.
  expect(await listCounts(t.db)).toEqual(full);
  await ask(4, {});
});

test('what is asked for too soon costs an account none of its day', async () => {
  await using t = await openTestDb();
  const deps = depsOf(t.db);
  const ask = async (to: number) =>
    await claimSending(deps, sendingOf('sms', { to, network: to, site: to, account: 1 }));
  for (let to = 1; to <= 19; to++) await ask(to);
  for (let i = 0; i < 5; i++) await expect(ask(19)).rejects.toMatchObject({ code: 'code.too-often' });

  await ask(20);
  await expect(ask(21)).rejects.toMatchObject({ code: 'code.daily-limit' });
});

test('what nobody has an SMS left for costs neither number, account nor network any', async () => {
  await using t = await openTestDb();
  const ask = async (n: number) => await claimSending(depsOf(t.db, 1), sendingOf('sms', asking(n, {})));
  await ask(1);
  const full = await listCounts(t.db);

  const all = await Promise.allSettled([ask(2), ask(3)]);

  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const told = 'sms of all, told all';
  expect((await listCounts(t.db)).filter(({ key }) => key !== told)).toEqual(full);
});

test('an owner’s own codes and those that strangers ask for leave each other alone', async () => {
  await using t = await openTestDb();
  const deps = depsOf(t.db);
  const ask = async (kind: Kind, n: number) => await claimSending(deps, sendingOf(kind, asking(n, { to: 1 })));
  await ask('sms', 1);
  await expect(ask('sms', 2)).rejects.toMatchObject({ code: 'code.too-often' });

  await ask('sms to its owner', 3);
  await ask('mail', 4);
  await ask('captcha mail', 5);
});
