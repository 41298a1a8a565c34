import type { Db } from '../../db/driver.ts';
import { countAgainst, forgetCount, limitGroupOf, takeCountBack } from '../../http/rate-limit.ts';
import type { CodeSubject } from './code.ts';

/**
 * Who asks: their address, their browser, and their account when they are logged in. `isOwner`: the code goes to the
 * number that is bound to this account.
 */
export type CodeCaller = { ip: string; browserHash: Buffer; userId?: number | undefined; isOwner?: boolean };
export type Sending = { subject: CodeSubject; caller: CodeCaller };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const HOURLY_PER_ADDRESS = 20;
const DAILY_PER_ADDRESS = 50;
const DAILY_PER_ACCOUNT = 20;
const DAILY_PER_TARGET = 10;
/** In place of a captcha anybody may have a mail sent to any address, with nothing solved before. */
const HOURLY_CAPTCHAS_PER_ADDRESS = 10;
const DAILY_CAPTCHAS_PER_TARGET = 5;

/**
 * Counts a code that is to be sent, of whatever purpose: one in 60 s and 10 a day to one phone number or mail address,
 * 20 a day for one account, 20 an hour and 50 a day from one network. To a number, what its logged-in owner asks for is
 * counted apart from what anybody asks for, as many each, so that no stranger keeps an owner from confirming. Mails in
 * place of a captcha are counted apart as well: 5 a day to one address, 10 an hour from one network. Throws
 * `code.too-often` or `code.daily-limit`.
 */
export async function claimSending(db: Db, { subject, caller }: Sending): Promise<void> {
  const kind = kindOf(subject);
  const network = limitGroupOf(caller.ip);
  const hourly = { name: `${kind} from, hourly`, key: network };
  const daily = { name: `${kind} from, daily`, key: network };
  const perHour = isCaptchaMail(subject) ? HOURLY_CAPTCHAS_PER_ADDRESS : HOURLY_PER_ADDRESS;
  await countAgainst(db, { ...hourly, max: perHour, windowSeconds: HOUR_SECONDS }, 'code.too-often');
  await countAgainst(db, { ...daily, max: DAILY_PER_ADDRESS, windowSeconds: DAY_SECONDS }, 'code.daily-limit');
  if (caller.userId !== undefined) {
    const account = accountOf(subject, caller.userId);
    await countAgainst(db, { ...account, max: DAILY_PER_ACCOUNT, windowSeconds: DAY_SECONDS }, 'code.daily-limit');
  }
  // Last, so that whoever is turned away above cannot keep a stranger's number waiting.
  const { pause, target } = targetOf({ subject, caller });
  await countAgainst(db, { ...pause, max: 1, windowSeconds: MINUTE_SECONDS }, 'code.too-often');
  const max = isCaptchaMail(subject) ? DAILY_CAPTCHAS_PER_TARGET : DAILY_PER_TARGET;
  await countAgainst(db, { ...target, max, windowSeconds: DAY_SECONDS }, 'code.daily-limit');
}

/**
 * For a code that was not sent: the next may be asked for at once, and the day's codes of the number and of the account are
 * as many as before. The network's hits stay: who makes sending fail is not to do it without end.
 */
export async function takeSendingBack(db: Db, { subject, caller }: Sending): Promise<void> {
  const { pause, target } = targetOf({ subject, caller });
  await forgetCount(db, pause);
  await takeCountBack(db, target);
  if (caller.userId !== undefined) await takeCountBack(db, accountOf(subject, caller.userId));
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
