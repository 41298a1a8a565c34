import type { CallRequest } from '../../http/session.ts';
import type { Db } from '../../db/driver.ts';
import { type WechatIdentity, useSsoCode } from '../sso/index.ts';
import { bindWechat, findUserByWechat } from './bind-wechat.ts';
import { lockWechatIdentity } from './wechat-account-store.ts';

export type WechatLoginDeps = {
  db: Db;
  /** Makes the account of one who comes for the first time (features/users). */
  createUser: (tx: Db, aff: string | undefined) => Promise<number>;
};

export type WechatLoginInput = { code: string; state: string; aff?: string | undefined; req: CallRequest };

/** The account of this WeChat, made when there is none yet. Throws `wechat.code-invalid`. */
export async function logInByWechat(deps: WechatLoginDeps, input: WechatLoginInput): Promise<number> {
  return await deps.db.transaction().execute(async (tx) => {
    const identity = await useSsoCode(tx, input);
    return (await findUserByWechat(tx, identity)) ?? (await join(tx, deps, identity, input.aff));
  });
}

async function join(tx: Db, deps: WechatLoginDeps, identity: WechatIdentity, aff: string | undefined): Promise<number> {
  // Two phones may bring the same new person at once: the second waits here and finds the account of the first.
  await lockWechatIdentity(tx, identity);
  const joined = await findUserByWechat(tx, identity);
  if (joined !== undefined) return joined;
  const userId = await deps.createUser(tx, aff);
  await bindWechat(tx, userId, identity);
  return userId;
}
