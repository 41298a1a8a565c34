import { createHmac, randomInt } from 'node:crypto';
import type { CaptchaPurpose, SmsPurpose } from '@tongtu/contract';
import type { StoredCode } from './code-store.ts';

/** Folds case and normalizes a user name or mail address, for comparisons and counts. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

const DIGITS = 6;

/** To bind an address, or in place of a captcha. */
export type MailPurpose = 'bind' | `captcha_${CaptchaPurpose}`;

/** A code is valid for one purpose at one phone number (E.164) or mail address. */
export type CodeSubject =
  | { channel: 'sms'; purpose: SmsPurpose; address: string }
  | { channel: 'mail'; purpose: MailPurpose; address: string };

export function makeCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** The code as it is stored. The HMAC's key keeps a stolen table from being searched for all six-digit codes. */
export function sealCode(
  codeKey: Buffer,
  { subject, browserHash, code }: { subject: CodeSubject; browserHash: Buffer; code: string },
): StoredCode {
  const purpose = `${subject.channel} ${subject.purpose}`;
  const codeHash = createHmac('sha256', codeKey)
    .update(JSON.stringify([purpose, subject.address, code]))
    .digest();
  return { purpose, address: subject.address, browserHash, codeHash };
}

export function mailSubject(purpose: MailPurpose, email: string): CodeSubject {
  return { channel: 'mail', purpose, address: foldName(email) };
}
