import { randomBytes } from 'node:crypto';
import { AppError, type CaptchaPurpose, type CaptchaType, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countAgainst } from '../../http/limits/rate-limit.ts';
import { ExpectedAnswer } from './captcha-answer.ts';
import { isStrong } from './captcha-kinds.ts';
import {
  type ChallengeOwner,
  claimAnswer,
  claimDrawing,
  claimPass,
  expireOpen,
  expireOpenGentle,
  clearPasses,
  deleteOldChallenges,
  insertChallenge,
  saveAnswer,
  lockNetwork,
  markPassed,
} from './challenge-store.ts';
import { chooseType, countGentle, countSolvedGentle, countWrongFrom, countWrongGlobally } from './choose-type.ts';
import type { Drawing } from './drawing/draw-challenge.ts';
import { type GivenAnswer, judgeAnswer } from './judging/judge-answer.ts';
import { deleteOldTickets } from './ticket-store.ts';
import { issueCaptchaTicket } from './ticket.ts';

const CHALLENGE_SECONDS = 120;
/** The time in which the picture must be fetched. */
const UNDRAWN_SECONDS = 600;
const DRAWN_WINDOW_SECONDS = 600;
const MAX_DRAWN_FOR_BROWSER = 60;
/** Many browsers share a network. A program that drops its cookie is limited by the network alone. */
const MAX_DRAWN_FOR_NETWORK = 600;

export type ChallengeRequest = {
  purpose: CaptchaPurpose;
  requestedType: CaptchaType | undefined;
  owner: ChallengeOwner;
};
export type DrawnChallenge = { key: string; drawing: Drawing; expiresAt: Date };

/** Creates and draws a challenge. Throws `request.too-many` beyond 60 in ten minutes per browser and 600 per network. */
export async function createAndDrawChallenge(db: Db, request: ChallengeRequest): Promise<DrawnChallenge> {
  const { key } = await createChallenge(db, request);
  return await drawCreatedChallenge(db, key, request.owner);
}

/** Draws a challenge that was created before. Throws `captcha.expired` when this caller has none with this key. */
export async function drawCreatedChallenge(db: Db, key: string, owner: ChallengeOwner): Promise<DrawnChallenge> {
  const type = await claimDrawing(db, key, owner);
  if (!type) throw new AppError('captcha.expired');
  // The canvas is native code that takes long to load: the first challenge pays for it, not each start.
  const { drawChallenge } = await import('./drawing/draw-challenge.ts');
  const drawing = await drawChallenge(type);
  const expiresAt = await saveAnswer(db, key, drawing.answer, CHALLENGE_SECONDS);
  if (!expiresAt) throw new AppError('captcha.expired');
  return { key, drawing, expiresAt };
}

/**
 * Creates a challenge whose picture is drawn when it is fetched. It replaces the browser's unanswered ones. Throws
 * `request.too-many` like `createAndDrawChallenge`.
 */
export async function createChallenge(
  db: Db,
  { purpose, requestedType, owner }: ChallengeRequest,
): Promise<{ key: string; type: CaptchaType }> {
  await countDrawing(db, owner);
  const { browserHash, network } = owner;
  return await db.transaction().execute(async (tx) => {
    const isReplacement = await expireOpen(tx, { browserHash, purpose });
    const type = await chooseType(tx, { browserHash, purpose, network, requestedType, isReplacement });
    const key = randomBytes(24).toString('base64url');
    await insertChallenge(tx, { key, type, purpose, ...owner }, UNDRAWN_SECONDS);
    if (!isStrong(type)) await countGentle(tx, network);
    return { key, type };
  });
}

async function countDrawing(db: Db, { browserHash, network }: ChallengeOwner): Promise<void> {
  const windowSeconds = DRAWN_WINDOW_SECONDS;
  const ofBrowser = { name: 'captcha drawn for browser', key: browserHash.toString('base64url') };
  await countAgainst(db, { ...ofBrowser, max: MAX_DRAWN_FOR_BROWSER, windowSeconds });
  const ofNetwork = { name: 'captcha drawn for', key: network };
  await countAgainst(db, { ...ofNetwork, max: MAX_DRAWN_FOR_NETWORK, windowSeconds });
}

type Answering = { key: string; given: GivenAnswer; owner: ChallengeOwner };
type Ticket = { ticket: string; expiresAt: Date };
type Refusal = Extract<ErrorCode, 'captcha.wrong' | 'captcha.expired' | 'captcha.once-more'>;

/**
 * Judges the one answer of a challenge. Throws `captcha.wrong`, `captcha.expired` when it cannot be answered, or
 * `captcha.once-more`: gentle kinds need two right answers in a row, because scripts sometimes guess one.
 */
export async function answerChallenge(db: Db, answering: Answering): Promise<Ticket> {
  const judged = await db.transaction().execute(async (tx) => {
    // Answers of one network are judged one after the other.
    await lockNetwork(tx, answering.owner.network);
    return await judgeAttempt(tx, answering);
  });
  if (judged === 'captcha.wrong') await countWrongGlobally(db);
  // Thrown after the commit, because a wrong answer is used and counted.
  if (typeof judged === 'string') throw new AppError(judged);
  return judged;
}

async function judgeAttempt(tx: Db, { key, given, owner }: Answering): Promise<Ticket | Refusal> {
  const { browserHash, network } = owner;
  const claimed = await claimAnswer(tx, key, owner);
  if (!claimed) return 'captcha.expired';
  const expected = ExpectedAnswer.parse(claimed.answer);
  const passOwner = { browserHash, purpose: claimed.purpose };
  if (!judgeAnswer(expected, given, claimed.elapsedMs)) {
    await clearPasses(tx, passOwner);
    await expireOpenGentle(tx, network);
    await countWrongFrom(tx, network);
    return 'captcha.wrong';
  }
  if (isStrong(expected.type)) return await issueCaptchaTicket(tx, passOwner);
  await countSolvedGentle(tx, network);
  if (await claimPass(tx, passOwner)) return await issueCaptchaTicket(tx, passOwner);
  await markPassed(tx, key);
  return 'captcha.once-more';
}

/** Deletes expired challenges and tickets. */
export async function deleteOldCaptchas(db: Db): Promise<void> {
  await deleteOldChallenges(db);
  await deleteOldTickets(db);
}
