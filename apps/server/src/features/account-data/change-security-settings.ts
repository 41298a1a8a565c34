import { fieldError, type ProofProfilePatch } from '@tongtu/contract';
import type { z } from 'zod';
import { isUniqueViolation } from '../../db/constraint.ts';
import { findBrowser } from '../../http/browser/browser-cookie.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import type { CallRequest, Session } from '../../http/session.ts';
import { useMailCode, type UseCodeDeps } from '../codes/index.ts';
import { turnOffSecondFactor } from '../second-factor/index.ts';
import { assertNotEnded } from '../sessions/index.ts';
import { type RedeemCode, redeemOwnCode } from '../sso/index.ts';
import { rotateAccountToken, setEmail } from '../users/index.ts';
import { bindWechat, unbindWechat } from '../wechat/index.ts';

export type SecuritySettingsDeps = UseCodeDeps & {
  sealingKey: Buffer;
  /** This server's own sign-in host unless given. */
  redeemWechatCode?: RedeemCode | undefined;
};
type Patch = z.output<typeof ProofProfilePatch>;
type Caller = { session: Session; req: CallRequest };

/**
 * Changes what needs a confirmed session. Throws `code.wrong`, `code.expired`, `user.email-taken`, `wechat.code-invalid`,
 * `wechat.taken`, `server.unavailable`, `user.last-way-in` or `session.required`.
 */
export async function changeSecuritySettings(
  deps: SecuritySettingsDeps,
  { session, req }: Caller,
  patch: Patch,
): Promise<void> {
  const { db, sealingKey } = deps;
  const { userId } = session;
  if ('email' in patch) await changeEmail(deps, { session, req }, patch);
  else if ('wechat' in patch) await changeWechat(deps, { session, req }, patch.wechat);
  else if ('rotate_token' in patch) {
    await db.transaction().execute(async (tx) => {
      await rotateAccountToken(tx, sealingKey, userId);
      await assertNotEnded(tx, session);
    });
  } else await turnOffSecondFactor(db, userId);
}

/** Reveals that another account has the address only to a user who can read mail sent to it. */
async function changeEmail(
  deps: SecuritySettingsDeps,
  { session, req }: Caller,
  { email, code }: { email: string; code: string },
): Promise<void> {
  await useMailCode(deps, { email, purpose: 'bind', code, browserHash: findBrowser(req) });
  try {
    await deps.db.transaction().execute(async (tx) => {
      await setEmail(tx, session.userId, email);
      await assertNotEnded(tx, session);
    });
  } catch (cause) {
    if (!isUniqueViolation(cause, 'user_account_email_key')) throw cause;
    throw fieldError('email', 'user.email-taken', { cause });
  }
}

async function changeWechat(
  { db, redeemWechatCode = redeemOwnCode }: SecuritySettingsDeps,
  { session, req }: Caller,
  wechat: { code: string; state: string } | null,
): Promise<void> {
  const { userId } = session;
  const takeIdentity = wechat && (await redeemWechatCode({ ...wechat, req }));
  await db.transaction().execute(async (tx) => {
    if (takeIdentity === null) await unbindWechat(tx, userId);
    else await bindWechat(tx, userId, await takeIdentity(tx));
    await lockUserForNoKeyUpdate(tx, userId);
    await assertNotEnded(tx, session);
  });
}
