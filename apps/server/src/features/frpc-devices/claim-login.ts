import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { acceptLoginTime, type FrpcLoginTime } from './frpc-login-store.ts';

/** Accepts a login whose key the relay has checked. Throws frpc.login-repeated, frpc.wire-v1. */
export async function claimFrpcLogin(db: Db, login: FrpcLoginTime): Promise<void> {
  const { isAccepted, speaksV2 } = await acceptLoginTime(db, login);
  if (isAccepted) return;
  throw new AppError(speaksV2 && login.wire === 'v1' ? 'frpc.wire-v1' : 'frpc.login-repeated');
}
