import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { ExpectedAnswer } from './captcha-answer.ts';

/** Who must answer: the browser and the network that the challenge was given to. */
export type Bearer = { browserHash: Buffer; network: string };
export type NewChallenge = Bearer & { key: string; type: CaptchaType; purpose: CaptchaPurpose };

const secondsFromNow = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
const later = sql<Date>`clock_timestamp()`;

/** A promise of a challenge: its picture is drawn when it is fetched. */
export async function insertChallenge(db: Db, challenge: NewChallenge, validSeconds: number): Promise<void> {
  await db
    .insertInto('captchaChallenge')
    .values({ ...challenge, expiresAt: secondsFromNow(validSeconds) })
    .execute();
}

/** Its one drawing; undefined when it is unknown, somebody else's, drawn before, or has ended. */
export async function claimDrawing(
  db: Db,
  key: string,
  bearer: Bearer,
): Promise<{ type: CaptchaType; purpose: CaptchaPurpose } | undefined> {
  const row = await db
    .updateTable('captchaChallenge')
    .set({ drawnAt: later })
    .where('key', '=', key)
    .where('browserHash', '=', bearer.browserHash)
    .where('network', '=', bearer.network)
    .where('drawnAt', 'is', null)
    .where('expiresAt', '>', later)
    .returning(['type', 'purpose'])
    .executeTakeFirst();
  return row && { ...row, purpose: row.purpose as CaptchaPurpose }; // written by insertChallenge only
}

/** Returns when it ends: its time begins with the picture. */
export async function keepAnswer(db: Db, key: string, answer: ExpectedAnswer, validSeconds: number): Promise<Date> {
  const { expiresAt } = await db
    .updateTable('captchaChallenge')
    .set({ answer, drawnAt: later, expiresAt: secondsFromNow(validSeconds) })
    .where('key', '=', key)
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

export type ClaimedAnswering = { answer: unknown; purpose: CaptchaPurpose; elapsedMs: number };

/** The one try of a challenge; undefined when it is unknown, somebody else's, answered before, or has ended. */
export async function claimAnswering(db: Db, key: string, bearer: Bearer): Promise<ClaimedAnswering | undefined> {
  // One statement: of two answers to one key only one finds it unanswered.
  const row = await db
    .updateTable('captchaChallenge')
    .set({ answeredAt: later, passed: false })
    .where('key', '=', key)
    .where('browserHash', '=', bearer.browserHash)
    .where('network', '=', bearer.network)
    .where('answer', 'is not', null)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', later)
    .returning(['answer', 'purpose'])
    .returning(sql<number>`(extract(epoch from clock_timestamp() - drawn_at) * 1000)::double precision`.as('elapsedMs'))
    .executeTakeFirst();
  return row && { ...row, purpose: row.purpose as CaptchaPurpose }; // written by insertChallenge only
}

/** Remembers a right answer that does not suffice alone. */
export async function markPassed(db: Db, key: string): Promise<void> {
  await db.updateTable('captchaChallenge').set({ passed: true }).where('key', '=', key).execute();
}

type PassOwner = { browserHash: Buffer; purpose: CaptchaPurpose };

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
        .where('expiresAt', '>', later)
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** After a wrong answer: what was right before it counts no more. */
export async function forgetPasses(db: Db, { browserHash, purpose }: PassOwner): Promise<void> {
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
