import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { ExpectedAnswer } from './captcha-answer.ts';
import { gentleTypes } from './captcha-kinds.ts';

/** Who must answer: the browser and the network that the challenge was given to. */
export type ChallengeOwner = { browserHash: Buffer; network: string };
export type NewChallenge = ChallengeOwner & { key: string; type: CaptchaType; purpose: CaptchaPurpose };

const secondsFromNow = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
const clockTimestamp = sql<Date>`clock_timestamp()`;

/**
 * Lets one transaction at a time judge the network's answers, or give it a gentle challenge: what is open there decides
 * about the next one.
 */
export async function lockNetwork(tx: Db, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeyOf(network)})`.execute(tx);
}

/** The same without waiting; false while another transaction has it. */
export async function tryLockNetwork(tx: Db, network: string): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${lockKeyOf(network)}) as is_locked`.execute(tx);
  return rows[0]?.isLocked === true;
}

const lockKeyOf = (network: string) => sql`hashtextextended(${`captcha ${network}`}, 0)`;

/** A promise of a challenge: its picture is drawn when it is fetched. */
export async function insertChallenge(db: Db, challenge: NewChallenge, validSeconds: number): Promise<void> {
  await db
    .insertInto('captchaChallenge')
    .values({ ...challenge, expiresAt: secondsFromNow(validSeconds) })
    .execute();
}

/** Its one drawing; undefined when it is unknown, somebody else's, drawn before, or has ended. */
export async function claimDrawing(db: Db, key: string, owner: ChallengeOwner): Promise<CaptchaType | undefined> {
  const row = await db
    .updateTable('captchaChallenge')
    .set({ drawnAt: clockTimestamp })
    .where('key', '=', key)
    .where('browserHash', '=', owner.browserHash)
    .where('network', '=', owner.network)
    .where('drawnAt', 'is', null)
    .where('expiresAt', '>', clockTimestamp)
    .returning('type')
    .executeTakeFirst();
  return row?.type;
}

/** Returns when it ends: its time begins with the picture. Undefined when it was ended while it was drawn. */
export async function saveAnswer(
  db: Db,
  key: string,
  answer: ExpectedAnswer,
  validSeconds: number,
): Promise<Date | undefined> {
  const row = await db
    .updateTable('captchaChallenge')
    .set({ answer, drawnAt: clockTimestamp, expiresAt: secondsFromNow(validSeconds) })
    .where('key', '=', key)
    .where('expiresAt', '>', clockTimestamp)
    .returning('expiresAt')
    .executeTakeFirst();
  return row?.expiresAt;
}

/** Ends what this browser has not answered yet; false when there is nothing. */
export async function expireOpen(tx: Db, { browserHash, purpose }: PassOwner): Promise<boolean> {
  const ended = await tx
    .updateTable('captchaChallenge')
    .set({ expiresAt: clockTimestamp })
    .where('browserHash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', clockTimestamp)
    .returning('key')
    .execute();
  return ended.length > 0;
}

/** Ends every gentle challenge of the network that is not answered yet. */
export async function expireOpenGentle(tx: Db, network: string): Promise<void> {
  await tx
    .updateTable('captchaChallenge')
    .set({ expiresAt: clockTimestamp })
    .where('network', '=', network)
    .where('type', 'in', gentleTypes)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', clockTimestamp)
    .execute();
}

export async function hasOpenGentle(tx: Db, network: string): Promise<boolean> {
  const row = await tx
    .selectFrom('captchaChallenge')
    .select('key')
    .where('network', '=', network)
    .where('type', 'in', gentleTypes)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', clockTimestamp)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type ClaimedAnswer = { answer: unknown; purpose: CaptchaPurpose; elapsedMs: number };

/** The one try of a challenge; undefined when it is unknown, somebody else's, answered before, or has ended. */
export async function claimAnswer(db: Db, key: string, owner: ChallengeOwner): Promise<ClaimedAnswer | undefined> {
  // One statement: of two answers to one key only one finds it unanswered.
  const row = await db
    .updateTable('captchaChallenge')
    .set({ answeredAt: clockTimestamp, passed: false })
    .where('key', '=', key)
    .where('browserHash', '=', owner.browserHash)
    .where('network', '=', owner.network)
    .where('answer', 'is not', null)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', clockTimestamp)
    .returning(['answer', 'purpose'])
    .returning(sql<number>`(extract(epoch from clock_timestamp() - drawn_at) * 1000)::double precision`.as('elapsedMs'))
    .executeTakeFirst();
  return row && { ...row, purpose: row.purpose as CaptchaPurpose }; // written by insertChallenge only
}

/** Remembers a right answer that does not suffice alone. */
export async function markPassed(db: Db, key: string): Promise<void> {
  await db.updateTable('captchaChallenge').set({ passed: true }).where('key', '=', key).execute();
}

export type PassOwner = { browserHash: Buffer; purpose: CaptchaPurpose };

/** Whether this browser has given a right answer that another one would complete. */
export async function hasPass(tx: Db, { browserHash, purpose }: PassOwner): Promise<boolean> {
  const row = await tx
    .selectFrom('captchaChallenge')
    .select('key')
    .where('browserHash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('passed', '=', true)
    .where('expiresAt', '>', clockTimestamp)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a right answer that this browser gave before, for the same purpose; false when there is none (any more). */
export async function claimPass(db: Db, { browserHash, purpose }: PassOwner): Promise<boolean> {
  const row = await db
    .updateTable('captchaChallenge')
    .set({ passed: false })
    .where('key', '=', (query) =>
      query
        .selectFrom('captchaChallenge')
        .select('key')
        .where('browserHash', '=', browserHash)
        .where('purpose', '=', purpose)
        .where('passed', '=', true)
        .where('expiresAt', '>', clockTimestamp)
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** After a wrong answer: what was right before it counts no more. */
export async function clearPasses(db: Db, { browserHash, purpose }: PassOwner): Promise<void> {
  await db
    .updateTable('captchaChallenge')
    .set({ passed: false })
    .where('browserHash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('passed', '=', true)
    .execute();
}

export async function deleteOldChallenges(db: Db): Promise<void> {
  await db
    .deleteFrom('captchaChallenge')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
