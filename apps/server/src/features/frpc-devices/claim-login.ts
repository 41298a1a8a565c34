import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { acceptLoginTime, findAccountOfFrpc, type FrpcLoginTime, useUpTimeAhead } from './frpc-login-store.ts';

/**
 * Accepts a login whose key the relay has checked, or uses it up if it is ahead. Throws frpc.login-repeated,
 * frpc.wire-v1, frpc.clock-ahead.
 */
export async function claimFrpcLogin(db: Db, login: FrpcLoginTime): Promise<void> {
  if (login.isAhead === true) {
    const userId = await findAccountOfFrpc(db, login.deviceId);
    if (userId !== undefined && (await useUpTimeAhead(db, { userId, timestamp: login.timestamp }))) return;
    throw new AppError('frpc.clock-ahead');
  }
  const { isAccepted, speaksV2 } = await acceptLoginTime(db, login);
  if (isAccepted) return;
  throw new AppError(speaksV2 && login.wire === 'v1' ? 'frpc.wire-v1' : 'frpc.login-repeated');
}
