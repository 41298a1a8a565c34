import type { Db } from '../../db/driver.ts';
import { countAgainst, forgetCount, limitGroupOf } from '../../http/rate-limit.ts';
import type { CodeSubject } from './code.ts';

export type Sending = { subject: CodeSubject; caller: { ip: string; userId?: number | undefined } };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const HOURLY_PER_ADDRESS = 20;
const DAILY_PER_ADDRESS = 50;
const DAILY_PER_ACCOUNT = 20;
const DAILY_PER_TARGET = 10;

/**
 * Counts a code that is to be sent, of whatever purpose: one in 60 s and 10 a day to one phone number or mail address,
 * 20 a day for one account, 20 an hour and 50 a day from one network. Throws `code.too-often` or `code.daily-limit`.
 */
export async function claimSending(db: Db, { subject, caller }: Sending): Promise<void> {
  const { channel, address } = subject;
  const network = limitGroupOf(caller.ip);
  const hourly = { name: `${channel} from, hourly`, key: network };
  const daily = { name: `${channel} from, daily`, key: network };
  await countAgainst(db, { ...hourly, max: HOURLY_PER_ADDRESS, windowSeconds: HOUR_SECONDS }, 'code.too-often');
  await countAgainst(db, { ...daily, max: DAILY_PER_ADDRESS, windowSeconds: DAY_SECONDS }, 'code.daily-limit');
  if (caller.userId !== undefined) {
    const account = { name: `${channel} by, daily`, key: String(caller.userId) };
    await countAgainst(db, { ...account, max: DAILY_PER_ACCOUNT, windowSeconds: DAY_SECONDS }, 'code.daily-limit');
  }
  // Last, so that whoever is turned away above cannot keep a stranger's number waiting.
  await countAgainst(db, { ...pauseOf(subject), max: 1, windowSeconds: MINUTE_SECONDS }, 'code.too-often');
  const target = { name: `${channel} to, daily`, key: address };
  await countAgainst(db, { ...target, max: DAILY_PER_TARGET, windowSeconds: DAY_SECONDS }, 'code.daily-limit');
}

/** Lets the next code be asked for at once. */
export async function forgetPause(db: Db, { subject }: Sending): Promise<void> {
  await forgetCount(db, pauseOf(subject));
}

function pauseOf({ channel, address }: CodeSubject) {
  return { name: `${channel} to, pause`, key: address };
}
