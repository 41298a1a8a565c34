import { AppError, type SmsPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type CodeSubject, mailSubject, type MailPurpose, sealCode } from './code.ts';
import { type TryResult, type StoredCode, tryCode, restoreCode } from './code-store.ts';

export type UseCodeDeps = { db: Db; codeKey: Buffer };

/** `browserHash` is undefined when the browser has never requested a code. */
type CodeAttempt = { code: string; browserHash: Buffer | undefined };
type SmsCodeAttempt = CodeAttempt & { phone: string; purpose: SmsPurpose };
type SubjectAttempt = CodeAttempt & { subject: CodeSubject };

/**
 * Uses a code that this browser requested for `phone` (E.164). Throws `code.wrong`, or `code.expired` when this browser
 * has no valid code; other browsers cannot try the code or learn that it exists. Of several uses at once, one succeeds.
 * NOTE: never call it in a transaction, because a rollback would undo the count of tries. A right code stays used,
 * whatever happens next, unless `restoreSmsCode` is called.
 */
export async function useSmsCode(deps: UseCodeDeps, given: SmsCodeAttempt): Promise<void> {
  await useCode(deps, smsCode(given));
}

/** Makes a right code valid again when the rest of its call was refused. Its tries stay counted. */
export async function restoreSmsCode(deps: UseCodeDeps, given: SmsCodeAttempt): Promise<void> {
  await restoreCode(deps.db, seal(deps, smsCode(given)));
}

/** Like `useSmsCode`, for a code that was sent by mail. */
export async function useMailCode(
  deps: UseCodeDeps,
  { email, purpose, ...given }: CodeAttempt & { email: string; purpose: MailPurpose },
): Promise<void> {
  await useCode(deps, { subject: mailSubject(purpose, email), ...given });
}

/** Uses both codes, or neither if one is not right; the try counts for both. Throws like `useSmsCode`. */
export async function useTwoSmsCodes(deps: UseCodeDeps, one: SmsCodeAttempt, other: SmsCodeAttempt): Promise<void> {
  refuseTransaction(deps.db);
  const codes = [one, other].map((given) => seal(deps, smsCode(given)));
  const result = await deps.db.transaction().execute(async (tx) => {
    const tried: TryResult[] = [];
    for (const code of codes) tried.push(await tryCode(tx, code));
    const failed = tried.find((result) => result !== 'right');
    if (failed === undefined) return 'right';
    for (const [index, code] of codes.entries()) if (tried[index] === 'right') await restoreCode(tx, code);
    return failed;
  });
  throwUnlessRight(result);
}

async function useCode(deps: UseCodeDeps, given: SubjectAttempt): Promise<void> {
  refuseTransaction(deps.db);
  throwUnlessRight(await tryCode(deps.db, seal(deps, given)));
}

function seal({ codeKey }: UseCodeDeps, { browserHash, ...given }: SubjectAttempt): StoredCode {
  if (browserHash === undefined) throw new AppError('code.expired');
  return sealCode(codeKey, { ...given, browserHash });
}

function smsCode({ phone, purpose, ...given }: SmsCodeAttempt): SubjectAttempt {
  return { subject: { channel: 'sms', purpose, address: phone }, ...given };
}

function throwUnlessRight(result: TryResult): void {
  if (result === 'none') throw new AppError('code.expired');
  if (result === 'wrong') throw new AppError('code.wrong');
}

function refuseTransaction(db: Db): void {
  if (db.isTransaction)
    throw new Error('a code is used outside transactions: a rollback would undo the count of tries');
}
