import { AppError } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import type { WechatIdentity } from '../sso/index.ts';
import {
  deleteWechatAccount,
  findWechatUser,
  hasOtherSignInMethodForUpdate,
  lockWechatIdentity,
  refreshWechatAccount,
  upsertWechatAccount,
} from './wechat-account-store.ts';

const uniqueConstraints = ['wechat_account_union_id_key', 'wechat_account_app_id_open_id_key'];

/** Returns the user to whom this WeChat is bound, if any, and saves its current nickname and union id. */
export async function findUserByWechat(tx: Db, identity: WechatIdentity): Promise<number | undefined> {
  const userId = await findWechatUser(tx, identity);
  if (userId !== undefined) await refreshWechatAccount(tx, userId, identity);
  return userId;
}

/** Binds a WeChat to the account, replacing an earlier one. Throws `wechat.taken`. Call it in a transaction. */
export async function bindWechat(tx: Db, userId: number, identity: WechatIdentity): Promise<void> {
  await lockWechatIdentity(tx, identity);
  const boundTo = await findWechatUser(tx, identity);
  if (boundTo !== undefined && boundTo !== userId) throw new AppError('wechat.taken');
  try {
    await upsertWechatAccount(tx, userId, identity);
  } catch (error) {
    const isTaken = uniqueConstraints.some((constraint) => isUniqueViolation(error, constraint));
    throw isTaken ? new AppError('wechat.taken', { cause: error }) : error;
  }
}

/** Throws `user.last-way-in` when the account has neither password nor phone. Call it in a transaction. */
export async function unbindWechat(tx: Db, userId: number): Promise<void> {
  if (!(await hasOtherSignInMethodForUpdate(tx, userId))) throw new AppError('user.last-way-in');
  await deleteWechatAccount(tx, userId);
}
