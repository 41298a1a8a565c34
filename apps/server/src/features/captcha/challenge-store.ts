import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';
import type { ExpectedAnswer } from './captcha-answer.ts';
import { gentleTypes } from './captcha-kinds.ts';

/** The browser and the network that received the challenge. Only they can answer it. */
export type ChallengeOwner = { browserHash: Buffer; network: string };
export type NewChallenge = ChallengeOwner & { key: string; type: CaptchaType; purpose: CaptchaPurpose };

const secondsFromNow = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
const clockTimestamp = sql<Date>`clock_timestamp()`;

type ChallengeColumns = ExpressionBuilder<Database, 'captchaChallenge'>;

/**
 * Serialises the transactions that judge the network's answers or create a gentle challenge for it, because each depends
 * on the network's open challenges.
 */
export async function lockNetwork(tx: Db, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeyOf(network)})`.execute(tx);
}

/** Takes the same lock without waiting. False while another transaction has it. */
export async function tryLockNetwork(tx: Db, network: string): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${lockKeyOf(network)}) as is_locked`.execute(tx);
  return rows[0]?.isLocked === true;
}

const lockKeyOf = (network: string) => sql`hashtextextended(${`captcha ${network}`}, 0)`;

/** Inserts a challenge whose picture is drawn when it is fetched. */
export async function insertChallenge(db: Db, challenge: NewChallenge, validSeconds: number): Promise<void> {
  await db
    .insertInto('captchaChallenge')
    .values({ ...challenge, expiresAt: secondsFromNow(validSeconds) })
    .execute();
}

/** Claims the challenge's one drawing. Undefined when it is unknown, another browser's, drawn already or expired. */
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

/** Returns the expiry, which counts from the drawing. Undefined when the challenge was expired during the drawing. */
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

/** Expires the browser's unanswered challenges for this purpose. False when there were none. */
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

/** Whether it is one of the network's gentle challenges that can still be answered. */
function isOpenGentle(network: string) {
  return (eb: ChallengeColumns) =>
    eb.and([
      eb('network', '=', network),
      eb('type', 'in', gentleTypes),
      eb('answeredAt', 'is', null),
      eb('expiresAt', '>', clockTimestamp),
    ]);
}

/** Expires the network's unanswered gentle challenges. */
export async function expireOpenGentle(tx: Db, network: string): Promise<void> {
  await tx.updateTable('captchaChallenge').set({ expiresAt: clockTimestamp }).where(isOpenGentle(network)).execute();
}

export async function hasOpenGentle(tx: Db, network: string): Promise<boolean> {
  const row = await tx
    .selectFrom('captchaChallenge')
    .select('key')
    .where(isOpenGentle(network))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type ClaimedAnswer = { answer: unknown; purpose: CaptchaPurpose; elapsedMs: number };

/** Claims the challenge's one answer. Undefined when it is unknown, another browser's, answered already or expired. */
export async function claimAnswer(db: Db, key: string, owner: ChallengeOwner): Promise<ClaimedAnswer | undefined> {
  // One statement, so that of two concurrent answers only one is judged.
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

/** Records a right answer that needs a second one. */
export async function markPassed(db: Db, key: string): Promise<void> {
  await db.updateTable('captchaChallenge').set({ passed: true }).where('key', '=', key).execute();
}

export type PassOwner = { browserHash: Buffer; purpose: CaptchaPurpose };

/** Whether it is a right answer of this browser that needs a second one. */
function isPassOf({ browserHash, purpose }: PassOwner) {
  return (eb: ChallengeColumns) =>
    eb.and([
      eb('browserHash', '=', browserHash),
      eb('purpose', '=', purpose),
      eb('passed', '=', true),
      eb('expiresAt', '>', clockTimestamp),
    ]);
}

/** Whether this browser has a right answer that needs a second one. */
export async function hasPass(tx: Db, owner: PassOwner): Promise<boolean> {
  const row = await tx.selectFrom('captchaChallenge').select('key').where(isPassOf(owner)).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Uses the browser's earlier right answer for the same purpose. False when there is none. */
export async function claimPass(db: Db, owner: PassOwner): Promise<boolean> {
  const row = await db
    .updateTable('captchaChallenge')
    .set({ passed: false })
    .where('key', '=', (query) =>
      query.selectFrom('captchaChallenge').select('key').where(isPassOf(owner)).limit(1).forUpdate().skipLocked(),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** After a wrong answer: invalidates the browser's earlier right answer. */
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
