import { AppError, type SmsPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type CodeSubject, mailSubject, type MailPurpose, sealCode } from './code.ts';
import { type CodeTry, type StoredCode, tryCode, unuseCode } from './code-store.ts';

export type UseCodeDeps = { db: Db; codeKey: Buffer };

/** `browserHash`: of the browser that tries; undefined when it has asked for none. */
type GivenBy = { code: string; browserHash: Buffer | undefined };
type GivenSms = GivenBy & { phone: string; purpose: SmsPurpose };
type Given = GivenBy & { subject: CodeSubject };

/**
 * Uses up a code that this browser had sent to `phone` (E.164). Throws `code.wrong`, or `code.expired` when there is none
 * to be right with: no other browser can try it, use its tries up or hear of it. Of several at once with one code, one gets through.
 * NOTE: never inside a transaction: its end would take back that a try was counted. A code that was right is gone,
 * whatever comes after it, unless `giveSmsCodeBack` is told.
 */
export async function useSmsCode(deps: UseCodeDeps, given: GivenSms): Promise<void> {
  await useCode(deps, smsCode(given));
}

/** For a code that was right and opened nothing, because what came with it was wrong. That it was tried stays counted. */
export async function giveSmsCodeBack(deps: UseCodeDeps, given: GivenSms): Promise<void> {
  await unuseCode(deps.db, seal(deps, smsCode(given)));
}

/** The same for a code that was sent by mail. */
export async function useMailCode(
  deps: UseCodeDeps,
  { email, purpose, ...given }: GivenBy & { email: string; purpose: MailPurpose },
): Promise<void> {
  await useCode(deps, { subject: mailSubject(purpose, email), ...given });
}

/** Uses up both codes, or neither when one of them is not right; the try counts for both. Throws like `useSmsCode`. */
export async function useTwoSmsCodes(deps: UseCodeDeps, one: GivenSms, other: GivenSms): Promise<void> {
  checkIsDatabase(deps.db);
  const codes = [one, other].map((given) => seal(deps, smsCode(given)));
  const outcome = await deps.db.transaction().execute(async (tx) => {
    const tried: CodeTry[] = [];
    for (const code of codes) tried.push(await tryCode(tx, code));
    const failed = tried.find((result) => result !== 'right');
    if (failed === undefined) return 'right';
    for (const [index, code] of codes.entries()) if (tried[index] === 'right') await unuseCode(tx, code);
    return failed;
  });
  judge(outcome);
}

async function useCode(deps: UseCodeDeps, given: Given): Promise<void> {
  checkIsDatabase(deps.db);
  judge(await tryCode(deps.db, seal(deps, given)));
}

function seal({ codeKey }: UseCodeDeps, { browserHash, ...given }: Given): StoredCode {
  if (browserHash === undefined) throw new AppError('code.expired');
  return sealCode(codeKey, { ...given, browserHash });
}

function smsCode({ phone, purpose, ...given }: GivenSms): Given {
  return { subject: { channel: 'sms', purpose, address: phone }, ...given };
}

function judge(outcome: CodeTry): void {
  if (outcome === 'none') throw new AppError('code.expired');
  if (outcome === 'wrong') throw new AppError('code.wrong');
}

function checkIsDatabase(db: Db): void {
  if (db.isTransaction) throw new Error('a code is used outside transactions: a rollback would forget wrong tries');
}
