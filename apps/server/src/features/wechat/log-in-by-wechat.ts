import type { Db } from '../../db/driver.ts';
import { type RedeemCode, redeemOwnCode, type WechatIdentity } from '../sso/index.ts';
import { assertMayRegister } from '../registration/index.ts';
import { bindWechat, findUserByWechat } from './bind-wechat.ts';
import { lockWechatIdentity } from './wechat-account-store.ts';

export type WechatLoginDeps = {
  db: Db;
  /** Makes the account of one who comes for the first time (features/users). */
  createUser: (tx: Db, aff: string | undefined) => Promise<number>;
  /** Asks the single sign-on host whose code it is; the one that this server carries unless another is given. */
  redeemCode?: RedeemCode;
};

export type WechatLoginInput = Parameters<RedeemCode>[0] & { aff?: string | undefined };

/**
 * The account of this WeChat, made when there is none yet. Throws `wechat.code-invalid`, `server.unavailable`,
 * `registration.by-invitation`, `registration.closed`.
 */
export async function logInByWechat(deps: WechatLoginDeps, input: WechatLoginInput): Promise<number> {
  const takeIdentity = await (deps.redeemCode ?? redeemOwnCode)(input);
  return await deps.db.transaction().execute(async (tx) => {
    const identity = await takeIdentity(tx);
    return (await findUserByWechat(tx, identity)) ?? (await join(tx, deps, identity, input.aff));
  });
}

async function join(tx: Db, deps: WechatLoginDeps, identity: WechatIdentity, aff: string | undefined): Promise<number> {
  // Two phones may bring the same new person at once: the second waits here and finds the account of the first.
  await lockWechatIdentity(tx, identity);
  const joined = await findUserByWechat(tx, identity);
  if (joined !== undefined) return joined;
  await assertMayRegister(tx);
  const userId = await deps.createUser(tx, aff);
  await bindWechat(tx, userId, identity);
  return userId;
}
