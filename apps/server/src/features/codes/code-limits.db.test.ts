import { must } from '@tongtu/base';
import { AppError, type ErrorCode } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { mailSubject, type CodeSubject } from './code.ts';
import { countSending, type LimitDeps, type Sending } from './code-limits.ts';

const minute = 60;
const hour = 3_600;
const day = 86_400;

/** A request for a code, with a number for each of its properties, so that a test can repeat one of them. */
type CodeRequest = { to: number; network: number; site: number; account?: number };

const kinds = {
  sms: ({ to }) => ({ channel: 'sms', purpose: 'login', address: `+86138001${48_000 + to}` }),
  'sms to its owner': ({ to }) => ({ channel: 'sms', purpose: 'confirm', address: `+86138001${48_000 + to}` }),
  mail: ({ to }) => mailSubject('bind', `n${to}@example.com`),
  'captcha mail': ({ to }) => mailSubject('captcha_login', `n${to}@example.com`),
} as const satisfies Record<string, (request: CodeRequest) => CodeSubject>;
type Kind = keyof typeof kinds;

type Limit = {
  kind: Kind;
  /** The limit counts requests that have this in common. */
  by: keyof CodeRequest;
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

function sendingOf(kind: Kind, request: CodeRequest): Sending {
  const { network, site, account } = request;
  const ip = `2001:db8:${site.toString(16)}:${network.toString(16)}::1`;
  const isOwner = kind === 'sms to its owner';
  return { subject: kinds[kind](request), caller: { ip, browserHash: Buffer.alloc(32, 1), userId: account, isOwner } };
}

/** The n-th request. It differs from all others except in what `same` gives. */
function request(n: number, same: Partial<CodeRequest>): CodeRequest {
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

/** Ends the pause since the last code, as if a minute had passed. */
async function endPause(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', 'like', '%pause%').execute();
}

test.each(limits)('$name: $max in $windowSeconds s, then $code', async (limit) => {
  await using t = await openTestDb();
  const deps = depsOf(t.db);
  // Requests of one network also come from one /48.
  const same = { [limit.by]: 1, ...(limit.by === 'network' && { site: 1 }) };
  const count = async (n: number, what: Partial<CodeRequest>) =>
    await countSending(deps, sendingOf(limit.kind, request(n, what)));
  const before = await databaseMs(t.db);
  await count(1, same);
  const after = await databaseMs(t.db);
  const counted = (await listCounts(t.db)).filter(({ key }) => key.startsWith(`${limit.name} `));
  const beganMs = counted.map(({ endsAt }) => endsAt.getTime() - limit.windowSeconds * 1000);
  if (limit.max > 1) {
    await endPause(t.db);
    await t.db
      .updateTable('rateCount')
      .set({ hits: limit.max - 1 })
      .where('key', '=', counted[0]?.key ?? '')
      .execute();
    await count(2, same);
    await endPause(t.db);
  }
  const full = await listCounts(t.db);

  const refused = await count(3, same).catch((error: unknown) => error);

  expect(counted).toHaveLength(1);
  expect(beganMs.every((began) => began >= before && began <= after)).toBe(true);
  expect(refused).toMatchObject({ code: limit.code });
  const { retryAfterSeconds = 0 } = refused as AppError;
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(limit.windowSeconds);
  // A refused request is not counted, neither for this limit nor for any other.
  expect(await listCounts(t.db)).toEqual(full);
  await count(4, {});
});

test('a request within the pause does not count against the account’s day', async () => {
  await using t = await openTestDb();
  const deps = depsOf(t.db);
  const count = async (to: number) =>
    await countSending(deps, sendingOf('sms', { to, network: to, site: to, account: 1 }));
  for (let to = 1; to <= 19; to++) await count(to);
  for (let i = 0; i < 5; i++) await expect(count(19)).rejects.toMatchObject({ code: 'code.too-often' });

  await count(20);
  await expect(count(21)).rejects.toMatchObject({ code: 'code.daily-limit' });
});

test('a request that is refused by the installation’s limit counts for no number, account or network', async () => {
  await using t = await openTestDb();
  const count = async (n: number) => await countSending(depsOf(t.db, 1), sendingOf('sms', request(n, {})));
  await count(1);
  const full = await listCounts(t.db);

  const all = await Promise.allSettled([count(2), count(3)]);

  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const logged = 'sms of all, logged all';
  expect((await listCounts(t.db)).filter(({ key }) => key !== logged)).toEqual(full);
});

test('codes for a number’s owner and codes for anybody have separate limits', async () => {
  await using t = await openTestDb();
  const deps = depsOf(t.db);
  const count = async (kind: Kind, n: number) => await countSending(deps, sendingOf(kind, request(n, { to: 1 })));
  await count('sms', 1);
  await expect(count('sms', 2)).rejects.toMatchObject({ code: 'code.too-often' });

  await count('sms to its owner', 3);
  await count('mail', 4);
  await count('captcha mail', 5);
});
