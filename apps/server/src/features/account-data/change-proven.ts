import { fieldError, type ProofProfilePatch } from '@tongtu/contract';
import type { z } from 'zod';
import { isUniqueViolation } from '../../db/constraint.ts';
import { findBrowser } from '../../http/browser/browser-cookie.ts';
import type { CallRequest } from '../../http/session.ts';
import { useMailCode, type UseCodeDeps } from '../codes/index.ts';
import { turnOffSecondFactor } from '../second-factor/index.ts';
import { type RedeemCode, redeemOwnCode } from '../sso/index.ts';
import { rotateAccountToken, setEmail } from '../users/index.ts';
import { bindWechat, unbindWechat } from '../wechat/index.ts';

export type ChangeProvenDeps = UseCodeDeps & {
  sealingKey: Buffer;
  /** The host that this server carries, unless another is given. */
  redeemWechatCode?: RedeemCode | undefined;
};
type Patch = z.output<typeof ProofProfilePatch>;
type Caller = { userId: number; req: CallRequest };

/**
 * Changes what needs proof, in a session that has been confirmed. Throws `code.wrong`, `code.expired`, `user.email-taken`,
 * `wechat.code-invalid`, `wechat.taken`, `server.unavailable` or `user.last-way-in`.
 */
export async function changeProven(deps: ChangeProvenDeps, { userId, req }: Caller, patch: Patch): Promise<void> {
  const { db, sealingKey } = deps;
  if ('email' in patch) await changeEmail(deps, { userId, req }, patch);
  else if ('wechat' in patch) await changeWechat(deps, { userId, req }, patch.wechat);
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
  { db, redeemWechatCode = redeemOwnCode }: ChangeProvenDeps,
  { userId, req }: Caller,
  wechat: { code: string; state: string } | null,
): Promise<void> {
  const takeIdentity = wechat && (await redeemWechatCode({ ...wechat, req }));
  await db.transaction().execute(async (tx) => {
    if (takeIdentity === null) await unbindWechat(tx, userId);
    else await bindWechat(tx, userId, await takeIdentity(tx));
  });
}
