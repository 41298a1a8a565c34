import { fieldError, type ProofProfilePatch } from '@tongtu/contract';
import type { z } from 'zod';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { findBrowser } from '../../http/browser-cookie.ts';
import type { CallRequest } from '../../http/session.ts';
import { useMailCode, type UseCodeDeps } from '../codes/index.ts';
import { turnOffSecondFactor } from '../second-factor/index.ts';
import { rotateAccountToken, setEmail } from '../users/index.ts';
import { bindWechat, unbindWechat, useWechatCode } from '../wechat/index.ts';

export type ChangeProvenDeps = UseCodeDeps & { sealingKey: Buffer };
type Patch = z.output<typeof ProofProfilePatch>;
type Caller = { userId: number; req: CallRequest };

/**
 * Changes what needs proof, in a session that has been confirmed. Throws `code.wrong`, `code.expired`, `user.email-taken`,
 * `wechat.code-invalid`, `wechat.taken` or `user.last-way-in`.
 */
export async function changeProven(deps: ChangeProvenDeps, { userId, req }: Caller, patch: Patch): Promise<void> {
  const { db, sealingKey } = deps;
  if ('email' in patch) await changeEmail(deps, { userId, req }, patch);
  else if ('wechat' in patch) await changeWechat(db, { userId, req }, patch.wechat);
  else if ('rotate_token' in patch) {
    await db.transaction().execute(async (tx) => await rotateAccountToken(tx, sealingKey, userId));
  } else await turnOffSecondFactor(db, userId);
}

/** That another account has the address is told only to who can read what is sent there. */
async function changeEmail(
  deps: ChangeProvenDeps,
  { userId, req }: Caller,
  { email, code }: { email: string; code: string },
): Promise<void> {
  await useMailCode(deps, { email, purpose: 'bind', code, browserHash: findBrowser(req) });
  try {
    await setEmail(deps.db, userId, email);
  } catch (cause) {
    if (!isUniqueViolation(cause, 'user_account_email_key')) throw cause;
    throw fieldError('email', 'user.email-taken', { cause });
  }
}

async function changeWechat(
  db: Db,
  { userId, req }: Caller,
  wechat: { code: string; state: string } | null,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (wechat === null) await unbindWechat(tx, userId);
    else await bindWechat(tx, userId, await useWechatCode(tx, { ...wechat, req }));
  });
}
