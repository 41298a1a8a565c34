import type { Db } from '../../db/driver.ts';
import { assertMayRegister } from '../registration/index.ts';
import { type RedeemCode, redeemOwnCode, type WechatIdentity } from '../sso/index.ts';
import { bindWechat, findUserByWechat } from './bind-wechat.ts';
import { lockWechatIdentity } from './wechat-account-store.ts';

export type WechatLoginDeps = {
  db: Db;
  /** Creates the account at a first login (features/users). */
  createUser: (tx: Db, aff: string | undefined) => Promise<number>;
  /** Exchanges the code at the single sign-on host. By default at this server's own host. */
  redeemCode?: RedeemCode;
};

export type WechatLoginInput = Parameters<RedeemCode>[0] & { aff?: string | undefined };

/**
 * Returns the account of this WeChat, and creates it if there is none. Throws `wechat.code-invalid`, `server.unavailable`,
 * `registration.by-invitation` or `registration.closed`.
 */
export async function logInByWechat(deps: WechatLoginDeps, input: WechatLoginInput): Promise<number> {
  const takeIdentity = await (deps.redeemCode ?? redeemOwnCode)(input);
  return await deps.db.transaction().execute(async (tx) => {
    const identity = await takeIdentity(tx);
    return (await findUserByWechat(tx, identity)) ?? (await findOrCreateAccount(tx, deps, identity, input.aff));
  });
}

async function findOrCreateAccount(
  tx: Db,
  deps: WechatLoginDeps,
  identity: WechatIdentity,
  aff: string | undefined,
): Promise<number> {
  // Two first logins of one person may run at once: the second waits here and finds the account of the first.
  await lockWechatIdentity(tx, identity);
  const existing = await findUserByWechat(tx, identity);
  if (existing !== undefined) return existing;
  await assertMayRegister(tx);
  const userId = await deps.createUser(tx, aff);
  await bindWechat(tx, userId, identity);
  return userId;
}
