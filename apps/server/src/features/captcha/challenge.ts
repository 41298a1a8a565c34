import { randomBytes } from 'node:crypto';
import { AppError, type CaptchaPurpose, type CaptchaType } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countAgainst, countedSoFar } from '../../http/rate-limit.ts';
import { ExpectedAnswer } from './captcha-answer.ts';
import {
  type Bearer,
  claimAnswering,
  claimDrawing,
  claimPass,
  forgetPasses,
  insertChallenge,
  keepAnswer,
  markPassed,
} from './challenge-store.ts';
import { chooseType, countWrongAnswer, isStrong } from './choose-type.ts';
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
  const promised = await claimDrawing(db, key, bearer);
  if (!promised) throw new AppError('captcha.expired');
  const drawing = await drawChallenge(promised.type);
  return { key, drawing, expiresAt: await keepAnswer(db, key, drawing.answer, CHALLENGE_SECONDS) };
}

/** A key whose picture is drawn when it is fetched. Throws `request.too-many` like `showChallenge`. */
export async function promiseChallenge(
  db: Db,
  { purpose, wanted, bearer }: Asked,
): Promise<{ key: string; type: CaptchaType }> {
  const drawn = await countDrawing(db, bearer);
  const type = await chooseType(db, { purpose, network: bearer.network, wanted, drawn });
  const key = randomBytes(24).toString('base64url');
  await insertChallenge(db, { key, type, purpose, ...bearer }, PROMISE_SECONDS);
  return { key, type };
}

/** Returns how many were drawn for the network before. */
async function countDrawing(db: Db, { browserHash, network }: Bearer): Promise<number> {
  const windowSeconds = DRAWN_WINDOW_SECONDS;
  const ofBrowser = { name: 'captcha drawn for browser', key: browserHash.toString('base64url') };
  await countAgainst(db, { ...ofBrowser, max: MAX_DRAWN_FOR_BROWSER, windowSeconds });
  const ofNetwork = { name: 'captcha drawn for', key: network };
  await countAgainst(db, { ...ofNetwork, max: MAX_DRAWN_FOR_NETWORK, windowSeconds });
  return (await countedSoFar(db, ofNetwork)) - 1;
}

/**
 * Judges the one try of a challenge. Throws `captcha.wrong`, `captcha.expired` when there is no try (left), or
 * `captcha.once-more`: of the gentle kinds two in a row must be right, as one alone is guessed now and then.
 */
export async function answerChallenge(
  db: Db,
  { key, given, bearer }: { key: string; given: GivenAnswer; bearer: Bearer },
): Promise<{ ticket: string; expiresAt: Date }> {
  const claimed = await claimAnswering(db, key, bearer);
  if (!claimed) throw new AppError('captcha.expired');
  const expected = ExpectedAnswer.parse(claimed.answer);
  const owner = { browserHash: bearer.browserHash, purpose: claimed.purpose };
  if (!judgeAnswer(expected, given, claimed.elapsedMs)) {
    await forgetPasses(db, owner);
    await countWrongAnswer(db, bearer.network);
    throw new AppError('captcha.wrong');
  }
  if (!isStrong(expected.type) && !(await claimPass(db, owner))) {
    await markPassed(db, key);
    throw new AppError('captcha.once-more');
  }
  return await issueCaptchaTicket(db, owner);
}
