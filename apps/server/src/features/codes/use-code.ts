import { AppError, type SmsPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type CodeSubject, mailSubject, type MailPurpose, sealCode } from './code.ts';
import { type CodeTry, tryCode, unuseCode } from './code-store.ts';

export type UseCodeDeps = { db: Db; codeKey: Buffer };

type Given = { subject: CodeSubject; code: string };

/**
 * Uses up a code that was sent to `phone` (E.164). Throws `code.wrong`, or `code.expired` when there is none to be right
 * with. Of several at once with one code, one gets through.
 * NOTE: never inside a transaction: its end would take back that a try was counted. A code that was right is gone,
 * whatever comes after it.
 */
export async function useSmsCode(
  deps: UseCodeDeps,
  given: { phone: string; purpose: SmsPurpose; code: string },
): Promise<void> {
  await useCode(deps, smsCode(given));
}

/** The same for a code that was sent by mail. */
export async function useMailCode(
  deps: UseCodeDeps,
  { email, purpose, code }: { email: string; purpose: MailPurpose; code: string },
): Promise<void> {
  await useCode(deps, { subject: mailSubject(purpose, email), code });
}

/** Uses up both codes, or neither when one of them is not right; the try counts for both. Throws like `useSmsCode`. */
export async function useTwoSmsCodes(
  deps: UseCodeDeps,
  one: { phone: string; purpose: SmsPurpose; code: string },
  other: { phone: string; purpose: SmsPurpose; code: string },
): Promise<void> {
  checkIsDatabase(deps.db);
  const codes = [one, other].map((given) => {
    const { subject, code } = smsCode(given);
    return sealCode(deps.codeKey, subject, code);
  });
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

async function useCode({ db, codeKey }: UseCodeDeps, { subject, code }: Given): Promise<void> {
  checkIsDatabase(db);
  judge(await tryCode(db, sealCode(codeKey, subject, code)));
}

function smsCode({ phone, purpose, code }: { phone: string; purpose: SmsPurpose; code: string }): Given {
  return { subject: { channel: 'sms', purpose, address: phone }, code };
}

function judge(outcome: CodeTry): void {
  if (outcome === 'none') throw new AppError('code.expired');
  if (outcome === 'wrong') throw new AppError('code.wrong');
}

function checkIsDatabase(db: Db): void {
  if (db.isTransaction) throw new Error('a code is used outside transactions: a rollback would forget wrong tries');
}
