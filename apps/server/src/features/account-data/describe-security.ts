import type { Security } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countRecoveryCodes, listFactors, listPasskeys, passkeyReply } from '../second-factor/index.ts';
import { findPreviousTokenEnd } from '../users/index.ts';
import { findWechatBinding } from '../wechat/index.ts';
import { findAccountState } from './account-store.ts';

/** The account's security settings in the API's form. */
export async function describeSecurity(db: Db, userId: number): Promise<Security> {
  const { hasPassword = false, deletionAt = null } = (await findAccountState(db, userId)) ?? {};
  const wechat = await findWechatBinding(db, userId);
  const { methods } = await listFactors(db, userId, '');
  const passkeys = await listPasskeys(db, userId);
  const previousTokenEnd = await findPreviousTokenEnd(db, userId);
  return {
    has_password: hasPassword,
    wechat: wechat ? { nickname: wechat.nickname, bound_at: wechat.boundAt.toISOString() } : null,
    totp: methods.includes('totp'),
    passkeys: passkeys.map(passkeyReply),
    recovery_codes_left: await countRecoveryCodes(db, userId),
    previous_token_until: previousTokenEnd?.toISOString() ?? null,
    deletion_at: deletionAt?.toISOString() ?? null,
  };
}
