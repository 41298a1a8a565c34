import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, type FrpWire, MAX_FRPC_TOML_DEVICES } from '@tongtu/contract';
import { isDisabled } from '../../db/account-state.ts';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { addNamedDevice } from '../devices/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { claimFrpcLogin } from './claim-login.ts';
import { readAccountToken } from './frpc-account.ts';
import { findDeviceByFrpcLogin, findFrpcAccountByLogin, listTomlDevicesForUpdate } from './frpc-account-store.ts';
import { useUpTimeAhead } from './frpc-login-store.ts';
import { sealFrpcToken } from './frpc-token.ts';

type Deps = { db: Db; sealingKey: Buffer };
/** `user` is the account's login, or that and `.name` for each of several devices. */
export type FrpcLogin = {
  user: string;
  key: string;
  timestamp: number;
  wire: FrpWire;
  hostName: string;
  isAhead?: true | undefined;
  serverId: number;
};

const USER = /^(?<login>tt-[0-9a-f]{10})(?:\.(?<name>[\p{L}\p{N}_-]{1,40}))?$/u;
const DEFAULT_NAME = 'frpc';

/**
 * Makes a device of a frpc that logs in with its own frpc.toml for the first time, and accepts the login. Throws
 * frpc.login-unknown, frpc.token-wrong, frpc.too-many-devices, and as claimFrpcLogin. One that is ahead makes nothing.
 */
export async function logInFrpc({ db, sealingKey }: Deps, login: FrpcLogin): Promise<{ deviceId: number }> {
  const named = USER.exec(login.user)?.groups;
  const found = named && (await findFrpcAccountByLogin(db, named['login'] ?? ''));
  if (!found) throw new AppError('frpc.login-unknown');
  const { userId } = found;
  if (login.isAhead === true) {
    if (!isKeyOf(readAccountToken(sealingKey, found), login)) throw new AppError('frpc.token-wrong');
    await useUpTimeAhead(db, { userId, timestamp: login.timestamp });
    throw new AppError('frpc.clock-ahead');
  }
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    // The token may have been replaced, and the account disabled or deleted.
    const account = await findFrpcAccountByLogin(tx, found.login);
    if (account === undefined || (await isDisabled(tx, userId))) throw new AppError('frpc.login-unknown');
    const token = readAccountToken(sealingKey, account);
    if (!isKeyOf(token, login)) throw new AppError('frpc.token-wrong');
    const known = await findDeviceByFrpcLogin(tx, login.user);
    if (known !== undefined) {
      await claimFrpcLogin(tx, { ...login, deviceId: known.id });
      return { deviceId: known.id };
    }
    if ((await listTomlDevicesForUpdate(tx, userId)).length >= MAX_FRPC_TOML_DEVICES)
      throw new AppError('frpc.too-many-devices');
    const name = named['name'] ?? (login.hostName === '' ? DEFAULT_NAME : login.hostName);
    const { id: deviceId } = await addNamedDevice(tx, { userId, serverId: login.serverId, name }, (uid) => ({
      frpcTokenSealed: sealFrpcToken(sealingKey, { uid, token }),
      frpcLogin: login.user,
    }));
    await claimFrpcLogin(tx, { ...login, deviceId });
    await announceDeviceChange(tx, { deviceId, userId });
    return { deviceId };
  });
}

/** What frpc proves its token with: the relay checks the same for devices that it knows. */
function isKeyOf(token: string, { key, timestamp }: FrpcLogin): boolean {
  const expected = createHash('md5').update(`${token}${timestamp}`).digest();
  const given = Buffer.from(key, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
