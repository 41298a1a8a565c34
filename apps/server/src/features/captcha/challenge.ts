import { randomBytes } from 'node:crypto';
import { AppError, type CaptchaPurpose, type CaptchaType, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countAgainst } from '../../http/limits/rate-limit.ts';
import { ExpectedAnswer } from './captcha-answer.ts';
import { isStrong } from './captcha-kinds.ts';
import {
  type Bearer,
  claimAnswering,
  claimDrawing,
  claimPass,
  endOpen,
  endOpenGentle,
  forgetPasses,
  insertChallenge,
  keepAnswer,
  lockNetwork,
  markPassed,
} from './challenge-store.ts';
import { chooseType, countGentle, countSolvedGentle, countWrongFrom, countWrongOfAll } from './choose-type.ts';
import { type Drawing, drawChallenge } from './drawing/draw-challenge.ts';
import { type GivenAnswer, judgeAnswer } from './judging/judge-answer.ts';
import { issueCaptchaTicket } from './ticket.ts';

const CHALLENGE_SECONDS = 120;
/** Until the picture of a promised challenge is fetched. */
const PROMISE_SECONDS = 600;
const DRAWN_WINDOW_SECONDS = 600;
const MAX_DRAWN_FOR_BROWSER = 60;
/** Many browsers share one; a program that drops its cookie has this one's only. */
const MAX_DRAWN_FOR_NETWORK = 600;

export type Asked = { purpose: CaptchaPurpose; wanted: CaptchaType | undefined; bearer: Bearer };
export type Shown = { key: string; drawing: Drawing; expiresAt: Date };

/** Draws a challenge and keeps its answer. Throws `request.too-many` beyond 60 in ten minutes for one browser, 600 for a network. */
export async function showChallenge(db: Db, asked: Asked): Promise<Shown> {
  const { key } = await promiseChallenge(db, asked);
  return await showPromised(db, key, asked.bearer);
}

/** Draws a challenge that was promised. Throws `captcha.expired` when there is none for this caller (any more). */
export async function showPromised(db: Db, key: string, bearer: Bearer): Promise<Shown> {
  const type = await claimDrawing(db, key, bearer);
  if (!type) throw new AppError('captcha.expired');
  const drawing = await drawChallenge(type);
  const expiresAt = await keepAnswer(db, key, drawing.answer, CHALLENGE_SECONDS);
  if (!expiresAt) throw new AppError('captcha.expired');
  return { key, drawing, expiresAt };
}

/**
 * A key whose picture is drawn when it is fetched, in the place of any that this browser has not answered yet. Throws
 * `request.too-many` like `showChallenge`.
 */
export async function promiseChallenge(
  db: Db,
  { purpose, wanted, bearer }: Asked,
): Promise<{ key: string; type: CaptchaType }> {
  await countDrawing(db, bearer);
  const { browserHash, network } = bearer;
  return await db.transaction().execute(async (tx) => {
    const isAnother = await endOpen(tx, { browserHash, purpose });
    const type = await chooseType(tx, { browserHash, purpose, network, wanted, isAnother });
    const key = randomBytes(24).toString('base64url');
    await insertChallenge(tx, { key, type, purpose, ...bearer }, PROMISE_SECONDS);
    if (!isStrong(type)) await countGentle(tx, network);
    return { key, type };
  });
}

async function countDrawing(db: Db, { browserHash, network }: Bearer): Promise<void> {
  const windowSeconds = DRAWN_WINDOW_SECONDS;
  const ofBrowser = { name: 'captcha drawn for browser', key: browserHash.toString('base64url') };
  await countAgainst(db, { ...ofBrowser, max: MAX_DRAWN_FOR_BROWSER, windowSeconds });
  const ofNetwork = { name: 'captcha drawn for', key: network };
  await countAgainst(db, { ...ofNetwork, max: MAX_DRAWN_FOR_NETWORK, windowSeconds });
}

type Answering = { key: string; given: GivenAnswer; bearer: Bearer };
type Ticket = { ticket: string; expiresAt: Date };
type Refusal = Extract<ErrorCode, 'captcha.wrong' | 'captcha.expired' | 'captcha.once-more'>;

/**
 * Judges the one try of a challenge. Throws `captcha.wrong`, `captcha.expired` when there is no try (left), or
 * `captcha.once-more`: of the gentle kinds two in a row must be right, as one alone is guessed now and then.
 */
export async function answerChallenge(db: Db, answering: Answering): Promise<Ticket> {
  const judged = await db.transaction().execute(async (tx) => {
    // Of two answers at once from a network the second one is looked at when the first one has been judged.
    await lockNetwork(tx, answering.bearer.network);
    return await judgeTry(tx, answering);
  });
  if (judged === 'captcha.wrong') await countWrongOfAll(db);
  // Not thrown in the transaction: a refused try is used up, and is counted.
  if (typeof judged === 'string') throw new AppError(judged);
  return judged;
}

async function judgeTry(tx: Db, { key, given, bearer }: Answering): Promise<Ticket | Refusal> {
  const { browserHash, network } = bearer;
  const claimed = await claimAnswering(tx, key, bearer);
  if (!claimed) return 'captcha.expired';
  const expected = ExpectedAnswer.parse(claimed.answer);
  const owner = { browserHash, purpose: claimed.purpose };
  if (!judgeAnswer(expected, given, claimed.elapsedMs)) {
    await forgetPasses(tx, owner);
    await endOpenGentle(tx, network);
    await countWrongFrom(tx, network);
    return 'captcha.wrong';
  }
  if (isStrong(expected.type)) return await issueCaptchaTicket(tx, owner);
  await countSolvedGentle(tx, network);
  if (await claimPass(tx, owner)) return await issueCaptchaTicket(tx, owner);
  await markPassed(tx, key);
  return 'captcha.once-more';
}
