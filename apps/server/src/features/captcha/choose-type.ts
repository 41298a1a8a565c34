import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findHits, countOne, undoCount } from '../../http/limits/rate-limit.ts';
import { gentleTypes, STRONG_TYPE } from './captcha-kinds.ts';
import { hasOpenGentle, hasPass, type PassOwner, tryLockNetwork } from './challenge-store.ts';
import { pick } from './drawing/random.ts';

/** The purposes that cost money. */
const strongPurposes: readonly CaptchaPurpose[] = ['sms'];

/** How many gentle pictures may stay unsolved, so that a script cannot skip many to pick the easy ones. */
const MAX_UNSOLVED = 2;

const WINDOW_SECONDS = 3_600;
const GLOBAL_WRONG_WINDOW_SECONDS = 60;
/** More wrong answers than this in a minute, from all callers together, indicate an attack from many addresses. */
const MAX_GLOBAL_WRONG = 60;

const unsolvedBy = (network: string) => ({ name: 'captcha unsolved by', key: network });
const wrongFrom = (network: string) => ({ name: 'captcha wrong from', key: network });
const wrongGlobally = { name: 'captcha wrong from', key: 'all' };

export type TypeChoice = PassOwner & {
  network: string;
  requestedType: CaptchaType | undefined;
  /** Whether it replaces a picture that was not answered. */
  isReplacement: boolean;
};

/**
 * Chooses the kind of the next challenge: a random gentle one, or the strong one if one of these holds:
 * - the caller requests it, or the purpose costs money;
 * - the network gave a wrong answer in the last hour, or all callers together gave many in the last minute;
 * - a script could choose what to answer: the network has an open gentle picture or many unsolved ones, or the challenge
 *   replaces the second one of two in a row.
 */
export async function chooseType(tx: Db, choice: TypeChoice): Promise<CaptchaType> {
  const { network, purpose, requestedType, isReplacement } = choice;
  if (requestedType === STRONG_TYPE || strongPurposes.includes(purpose)) return STRONG_TYPE;
  // This does not wait for the lock, because waiting calls would block the database connections of all networks.
  if (!(await tryLockNetwork(tx, network))) return STRONG_TYPE;
  if ((await findHits(tx, wrongFrom(network))) > 0) return STRONG_TYPE;
  if ((await findHits(tx, wrongGlobally)) > MAX_GLOBAL_WRONG) return STRONG_TYPE;
  if ((await findHits(tx, unsolvedBy(network))) > MAX_UNSOLVED) return STRONG_TYPE;
  if (await hasOpenGentle(tx, network)) return STRONG_TYPE;
  if (isReplacement && (await hasPass(tx, choice))) return STRONG_TYPE;
  return pick(gentleTypes);
}

/** Counts a gentle picture as unsolved until it is answered right. */
export async function countGentle(tx: Db, network: string): Promise<void> {
  await countOne(tx, { ...unsolvedBy(network), windowSeconds: WINDOW_SECONDS });
}

export async function countSolvedGentle(tx: Db, network: string): Promise<void> {
  await undoCount(tx, unsolvedBy(network));
}

export async function countWrongFrom(tx: Db, network: string): Promise<void> {
  await countOne(tx, { ...wrongFrom(network), windowSeconds: WINDOW_SECONDS });
}

/** NOTE: call it outside transactions, because all wrong answers lock the same row. */
export async function countWrongGlobally(db: Db): Promise<void> {
  await countOne(db, { ...wrongGlobally, windowSeconds: GLOBAL_WRONG_WINDOW_SECONDS });
}
