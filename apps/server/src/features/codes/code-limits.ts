import { networkOf, siteOf } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import {
  checkLimit,
  countAgainstAll,
  type Counted,
  countOne,
  resetCount,
  undoCount,
} from '../../http/limits/rate-limit.ts';
import type { CodeSubject } from './code.ts';

/**
 * Who requests a code: the address, the browser, and the account of a login. `isOwner` means that the code goes to the
 * number that is bound to this account.
 */
export type CodeCaller = { ip: string; browserHash: Buffer; userId?: number | undefined; isOwner?: boolean };
export type Sending = { subject: CodeSubject; caller: CodeCaller };

export type LimitDeps = {
  db: Db;
  log: Pick<Logger, 'error'>;
  /** The daily limit of the whole installation. */
  smsPerDay: number;
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const HOURLY_PER_ADDRESS = 20;
const DAILY_PER_ADDRESS = 50;
/** A /48 has 65 536 networks. They may all belong to one customer, or each /64 to another one, as in mobile networks. */
const NETWORKS_PER_SITE = 5;
const DAILY_PER_ACCOUNT = 20;
const DAILY_PER_TARGET = 10;
/** Stricter, because anybody can request a mail in place of a captcha to any address, without any check before. */
const HOURLY_CAPTCHAS_PER_ADDRESS = 10;
const DAILY_CAPTCHAS_PER_TARGET = 5;

/**
 * Counts a code before it is sent, for all purposes together. Throws `code.too-often`, `code.daily-limit` or
 * `sms.used-up`, and then counts nothing. The limits:
 * - one number or mail address: one in 60 s and 10 a day. Requests of the number's logged-in owner have their own
 *   counters, so that nobody else can use up the codes that the owner needs to confirm.
 * - one account: 20 a day.
 * - one network: 20 an hour and 50 a day; an IPv6 /48: five times as many.
 * - mails in place of a captcha have their own counters: 5 a day to one address, 10 an hour from one network.
 * - all SMS of the installation: `smsPerDay`.
 */
export async function countSending(deps: LimitDeps, { subject, caller }: Sending): Promise<void> {
  if (subject.channel === 'sms') await checkDailySms(deps);
  const { pause, target } = targetOf({ subject, caller });
  await countAgainstAll(deps.db, [
    ...networkLimits({ subject, caller }),
    ...(caller.userId === undefined ? [] : [daily(accountOf(subject, caller.userId), DAILY_PER_ACCOUNT)]),
    // After the limits above: a client that they refuse must not start the pause of somebody else's number.
    { limit: { ...pause, max: 1, windowSeconds: MINUTE_SECONDS }, code: 'code.too-often' },
    daily(target, isCaptchaMail(subject) ? DAILY_CAPTCHAS_PER_TARGET : DAILY_PER_TARGET),
    ...(subject.channel === 'sms' ? [{ limit: smsLimit(deps), code: 'sms.used-up' } as const] : []),
  ]);
}

type CodeLimit = Parameters<typeof countAgainstAll>[1][number];

function networkLimits({ subject, caller }: Sending): CodeLimit[] {
  const perHour = isCaptchaMail(subject) ? HOURLY_CAPTCHAS_PER_ADDRESS : HOURLY_PER_ADDRESS;
  const site = siteOf(caller.ip);
  const sources = [
    { from: `${kindOf(subject)} from`, key: networkOf(caller.ip), share: 1 },
    ...(site === undefined ? [] : [{ from: `${kindOf(subject)} from /48`, key: site, share: NETWORKS_PER_SITE }]),
  ];
  return sources.flatMap(({ from, key, share }) => {
    const hourly = { name: `${from}, hourly`, key, max: perHour * share, windowSeconds: HOUR_SECONDS };
    return [
      { limit: hourly, code: 'code.too-often' },
      daily({ name: `${from}, daily`, key }, DAILY_PER_ADDRESS * share),
    ];
  });
}

function daily(counted: Counted, max: number): CodeLimit {
  return { limit: { ...counted, max, windowSeconds: DAY_SECONDS }, code: 'code.daily-limit' };
}

const allSms = { name: 'sms of all, daily', key: 'all' };

function smsLimit({ smsPerDay }: LimitDeps) {
  return { ...allSms, max: smsPerDay, windowSeconds: DAY_SECONDS };
}

/** Throws `sms.used-up` when the daily limit is reached, and logs the first refusal of the day. */
async function checkDailySms(deps: LimitDeps): Promise<void> {
  const { db, log, smsPerDay } = deps;
  try {
    await checkLimit(db, smsLimit(deps), 'sms.used-up');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const logged = { name: 'sms of all, logged', key: 'all', windowSeconds: error.retryAfterSeconds ?? DAY_SECONDS };
    if ((await countOne(db, logged)) === 0)
      log.error({ smsPerDay }, 'SMS_PER_DAY is reached: no more are sent for now');
    throw error;
  }
}

/**
 * Takes back what `countSending` counted for a code that could not be sent: the pause and the daily counts of the number
 * and the account. The network's counts stay, which limits clients that make sending fail on purpose.
 */
export async function refundSending(db: Db, { subject, caller }: Sending): Promise<void> {
  const { pause, target } = targetOf({ subject, caller });
  await resetCount(db, pause);
  await undoCount(db, target);
  if (caller.userId !== undefined) await undoCount(db, accountOf(subject, caller.userId));
  if (subject.channel === 'sms') await undoCount(db, allSms);
}

function accountOf({ channel }: CodeSubject, userId: number) {
  return { name: `${channel} by, daily`, key: String(userId) };
}

function targetOf({ subject, caller }: Sending) {
  const to = `${kindOf(subject)} to${caller.isOwner ? ' its owner' : ''}`;
  const key = countedAddress(subject);
  return { pause: { name: `${to}, pause`, key }, target: { name: `${to}, daily`, key } };
}

/** Many mail providers deliver li+anything@… to li, so all these addresses share one count. */
function countedAddress(subject: CodeSubject): string {
  return isCaptchaMail(subject) ? subject.address.replace(/\+[^@]*@/, '@') : subject.address;
}

function kindOf(subject: CodeSubject): string {
  return isCaptchaMail(subject) ? 'captcha mail' : subject.channel;
}

function isCaptchaMail({ channel, purpose }: CodeSubject): boolean {
  return channel === 'mail' && purpose.startsWith('captcha_');
}
