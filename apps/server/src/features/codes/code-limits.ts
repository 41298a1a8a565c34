import { networkOf, siteOf } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { checkLimit, countAgainstAll, type Counted, countOne, resetCount, undoCount } from '../../http/rate-limit.ts';
import type { CodeSubject } from './code.ts';

/**
 * Who asks: their address, their browser, and their account when they are logged in. `isOwner`: the code goes to the
 * number that is bound to this account.
 */
export type CodeCaller = { ip: string; browserHash: Buffer; userId?: number | undefined; isOwner?: boolean };
export type Sending = { subject: CodeSubject; caller: CodeCaller };

export type LimitDeps = {
  db: Db;
  log: Pick<Logger, 'error'>;
  /** What the whole installation sends in a day at most. */
  smsPerDay: number;
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const HOURLY_PER_ADDRESS = 20;
const DAILY_PER_ADDRESS = 50;
/** A /48 holds 65 536 networks: of one customer, who gets it for nothing, or each of another one, as with mobile phones. */
const NETWORKS_PER_SITE = 5;
const DAILY_PER_ACCOUNT = 20;
const DAILY_PER_TARGET = 10;
/** In place of a captcha anybody may have a mail sent to any address, with nothing solved before. */
const HOURLY_CAPTCHAS_PER_ADDRESS = 10;
const DAILY_CAPTCHAS_PER_TARGET = 5;

/**
 * Counts a code that is to be sent, of whatever purpose: one in 60 s and 10 a day to one phone number or mail address,
 * 20 a day for one account, 20 an hour and 50 a day from one network, five times as many from an IPv6 /48. To a number,
 * what its logged-in owner asks for is counted apart from what anybody asks for, as many each, so that no stranger keeps an
 * owner from confirming. Mails in place of a captcha are counted apart as well: 5 a day to one address, 10 an hour from one
 * network. All SMS together are `smsPerDay` at most. Throws `code.too-often`, `code.daily-limit` or `sms.used-up`; what is
 * refused is counted nowhere.
 */
export async function claimSending(deps: LimitDeps, { subject, caller }: Sending): Promise<void> {
  if (subject.channel === 'sms') await checkSmsLeft(deps);
  const { pause, target } = targetOf({ subject, caller });
  await countAgainstAll(deps.db, [
    ...limitsOfPlaces({ subject, caller }),
    ...(caller.userId === undefined ? [] : [daily(accountOf(subject, caller.userId), DAILY_PER_ACCOUNT)]),
    // So late that whoever is turned away above cannot keep a stranger's number waiting.
    { limit: { ...pause, max: 1, windowSeconds: MINUTE_SECONDS }, code: 'code.too-often' },
    daily(target, isCaptchaMail(subject) ? DAILY_CAPTCHAS_PER_TARGET : DAILY_PER_TARGET),
    ...(subject.channel === 'sms' ? [{ limit: smsLimit(deps), code: 'sms.used-up' } as const] : []),
  ]);
}

type CodeLimit = Parameters<typeof countAgainstAll>[1][number];

function limitsOfPlaces({ subject, caller }: Sending): CodeLimit[] {
  const perHour = isCaptchaMail(subject) ? HOURLY_CAPTCHAS_PER_ADDRESS : HOURLY_PER_ADDRESS;
  const site = siteOf(caller.ip);
  const places = [
    { from: `${kindOf(subject)} from`, key: networkOf(caller.ip), share: 1 },
    ...(site === undefined ? [] : [{ from: `${kindOf(subject)} from /48`, key: site, share: NETWORKS_PER_SITE }]),
  ];
  return places.flatMap(({ from, key, share }) => {
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

/** The operator hears of it once a day, when the first is refused. */
async function checkSmsLeft(deps: LimitDeps): Promise<void> {
  const { db, log, smsPerDay } = deps;
  try {
    await checkLimit(db, smsLimit(deps), 'sms.used-up');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const told = { name: 'sms of all, told', key: 'all', windowSeconds: error.retryAfterSeconds ?? DAY_SECONDS };
    if ((await countOne(db, told)) === 0) log.error({ smsPerDay }, 'SMS_PER_DAY is reached: no more are sent for now');
    throw error;
  }
}

/**
 * For a code that was not sent: the next may be asked for at once, and the day's codes of the number and of the account are
 * as many as before. The network's hits stay: who makes sending fail is not to do it without end.
 */
export async function takeSendingBack(db: Db, { subject, caller }: Sending): Promise<void> {
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

/** Many providers put li+anything@… into li's mailbox, which would have as many mails as somebody thinks of names. */
function countedAddress(subject: CodeSubject): string {
  return isCaptchaMail(subject) ? subject.address.replace(/\+[^@]*@/, '@') : subject.address;
}

function kindOf(subject: CodeSubject): string {
  return isCaptchaMail(subject) ? 'captcha mail' : subject.channel;
}

function isCaptchaMail({ channel, purpose }: CodeSubject): boolean {
  return channel === 'mail' && purpose.startsWith('captcha_');
}
