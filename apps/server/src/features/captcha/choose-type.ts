import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countedSoFar, countOne } from '../../http/rate-limit.ts';
import { pick } from './drawing/random.ts';

/** Quick for people, and guessed now and then: only for networks that have not been wrong lately. */
const gentleTypes = ['slide', 'drag', 'rotate'] as const;
/** Nobody guesses it. */
const STRONG_TYPE = 'click';

/** What costs money or opens a door at once. */
const strongPurposes: readonly CaptchaPurpose[] = ['sms'];

const MAX_SKIPPED = 10;

const WRONG_WINDOW_SECONDS = 3_600;
const ALL_WRONG_WINDOW_SECONDS = 60;
/** So many wrong answers in a minute, of all callers together, are an attack from many addresses. */
const MAX_ALL_WRONG = 60;

const wrongFrom = (network: string) => ({ name: 'captcha wrong from', key: network });
const wrongFromAll = { name: 'captcha wrong from', key: 'all' };

/** Whether one right answer of this kind is enough. */
export function isStrong(type: CaptchaType): boolean {
  return type === STRONG_TYPE;
}

export type TypeChoice = { purpose: CaptchaPurpose; network: string; wanted: CaptchaType | undefined; drawn: number };

/**
 * The kind of the next challenge: the one that is wanted, else any of the gentle ones; the strong one alone for what costs
 * money, after a wrong answer from this network in the last hour, after it has let many pictures go by, and while many
 * answers of all callers are wrong.
 */
export async function chooseType(db: Db, { purpose, network, wanted, drawn }: TypeChoice): Promise<CaptchaType> {
  if (strongPurposes.includes(purpose) || drawn > MAX_SKIPPED) return STRONG_TYPE;
  if ((await countedSoFar(db, wrongFrom(network))) > 0) return STRONG_TYPE;
  if ((await countedSoFar(db, wrongFromAll)) > MAX_ALL_WRONG) return STRONG_TYPE;
  return wanted ?? pick(gentleTypes);
}

export async function countWrongAnswer(db: Db, network: string): Promise<void> {
  await countOne(db, { ...wrongFrom(network), windowSeconds: WRONG_WINDOW_SECONDS });
  await countOne(db, { ...wrongFromAll, windowSeconds: ALL_WRONG_WINDOW_SECONDS });
}
