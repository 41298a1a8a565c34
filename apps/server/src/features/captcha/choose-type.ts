import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countedSoFar, countOne, takeCountBack } from '../../http/rate-limit.ts';
import { gentleTypes, STRONG_TYPE } from './captcha-kinds.ts';
import { hasOpenGentle, hasPass, type PassOwner, tryLockNetwork } from './challenge-store.ts';
import { pick } from './drawing/random.ts';

/** What costs money or opens a door at once. */
const strongPurposes: readonly CaptchaPurpose[] = ['sms'];

/** So many gentle pictures may go by unsolved: whoever picks those that a script sees best gains little by it. */
const MAX_SKIPPED = 2;

const WINDOW_SECONDS = 3_600;
const GLOBAL_WRONG_WINDOW_SECONDS = 60;
/** So many wrong answers in a minute, of all callers together, are an attack from many addresses. */
const MAX_GLOBAL_WRONG = 60;

const unsolvedBy = (network: string) => ({ name: 'captcha unsolved by', key: network });
const wrongFrom = (network: string) => ({ name: 'captcha wrong from', key: network });
const wrongGlobally = { name: 'captcha wrong from', key: 'all' };

export type TypeChoice = PassOwner & {
  network: string;
  requestedType: CaptchaType | undefined;
  /** Whether it comes in the place of a picture that was not answered. */
  isReplacement: boolean;
};

/**
 * The kind of the next challenge: a gentle one, whichever it is, where nothing speaks for the strong one. For that speak a
 * caller who wants it, what costs money, a wrong answer from the network in the last hour, and all that would let a
 * script choose what to answer: a gentle picture of the network that is still open, many that were skipped, and another one in
 * the place of the second of two in a row. So do many wrong answers of all callers.
 */
export async function chooseType(tx: Db, choice: TypeChoice): Promise<CaptchaType> {
  const { network, purpose, requestedType, isReplacement } = choice;
  if (requestedType === STRONG_TYPE || strongPurposes.includes(purpose)) return STRONG_TYPE;
  // Who comes while another one of the network is served does not wait: that would hold up those of all networks.
  if (!(await tryLockNetwork(tx, network))) return STRONG_TYPE;
  if ((await countedSoFar(tx, wrongFrom(network))) > 0) return STRONG_TYPE;
  if ((await countedSoFar(tx, wrongGlobally)) > MAX_GLOBAL_WRONG) return STRONG_TYPE;
  if ((await countedSoFar(tx, unsolvedBy(network))) > MAX_SKIPPED) return STRONG_TYPE;
  if (await hasOpenGentle(tx, network)) return STRONG_TYPE;
  if (isReplacement && (await hasPass(tx, choice))) return STRONG_TYPE;
  return pick(gentleTypes);
}

/** A gentle picture counts as skipped from its start until it is answered right. */
export async function countGentle(tx: Db, network: string): Promise<void> {
  await countOne(tx, { ...unsolvedBy(network), windowSeconds: WINDOW_SECONDS });
}

export async function countSolvedGentle(tx: Db, network: string): Promise<void> {
  await takeCountBack(tx, unsolvedBy(network));
}

export async function countWrongFrom(tx: Db, network: string): Promise<void> {
  await countOne(tx, { ...wrongFrom(network), windowSeconds: WINDOW_SECONDS });
}

/** NOTE: not in a transaction, in which everybody else who is wrong would have to wait. */
export async function countWrongGlobally(db: Db): Promise<void> {
  await countOne(db, { ...wrongGlobally, windowSeconds: GLOBAL_WRONG_WINDOW_SECONDS });
}
