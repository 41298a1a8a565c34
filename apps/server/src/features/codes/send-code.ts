import { AppError, type SmsPurpose } from '@tongtu/contract';
import type { Mailer } from '../mail/index.ts';
import type { SmsSender } from '../sms/index.ts';
import { mailSubject, type MailPurpose, makeCode, sealCode } from './code.ts';
import { countSending, type CodeCaller, type LimitDeps, refundSending, type Sending } from './code-limits.ts';
import { storeCode } from './code-store.ts';

export type SendCodeDeps = LimitDeps & {
  codeKey: Buffer;
  /** Undefined when the installation sends no SMS. */
  sms: SmsSender | undefined;
  mailer: Mailer | undefined;
};

/** The times that the console counts down. */
export type SentCode = { retryAfterSeconds: number; expiresInSeconds: number };

const sent: SentCode = { retryAfterSeconds: 60, expiresInSeconds: 300 };

/**
 * Sends a code to `phone` (E.164), whether an account has this number or not. Throws `code.too-often`,
 * `code.daily-limit`, `sms.used-up`, `phone.invalid` (from the provider) or `sms.unavailable`.
 */
export async function sendSmsCode(
  deps: SendCodeDeps,
  { phone, purpose, caller }: { phone: string; purpose: SmsPurpose; caller: CodeCaller },
): Promise<SentCode> {
  const { sms } = deps;
  if (!sms) throw new AppError('sms.unavailable');
  const sending = { subject: { channel: 'sms', purpose, address: phone }, caller } as const;
  await deliver(deps, sending, async (code) => await sms.send({ phone, purpose, code }));
  return sent;
}

/** Sends a code to a mail address. Throws `code.too-often`, `code.daily-limit` or `mail.unavailable`. */
export async function sendMailCode(
  deps: SendCodeDeps,
  { email, purpose, caller }: { email: string; purpose: MailPurpose; caller: CodeCaller },
): Promise<SentCode> {
  const { mailer } = deps;
  if (!mailer) throw new AppError('mail.unavailable');
  await deliver(deps, { subject: mailSubject(purpose, email), caller }, async (code) => {
    await mailer.send(codeMail(email, code));
  });
  return sent;
}

async function deliver(deps: SendCodeDeps, sending: Sending, send: (code: string) => Promise<void>): Promise<void> {
  await countSending(deps, sending);
  const code = makeCode();
  try {
    await send(code);
  } catch (error) {
    await refundSending(deps.db, sending);
    throw error;
  }
  await saveCode(deps, sending, code); // only after sending, so that a failure leaves the user's earlier code valid
}

async function saveCode({ db, codeKey }: SendCodeDeps, { subject, caller }: Sending, code: string): Promise<void> {
  await storeCode(db, sealCode(codeKey, { subject, browserHash: caller.browserHash, code }));
}

function codeMail(to: string, code: string) {
  return {
    to,
    subject: '通途验证码',
    text: `您的验证码是 ${code}，5 分钟内有效。\n\n如果不是您本人在操作，请忽略这封邮件，也不要把验证码告诉任何人。\n`,
    code,
  };
}
