import { randomBytes } from 'node:crypto';
import { must } from '@tongtu/base';
import { FRPC_LOGIN_PREFIX } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { seal, unseal } from '../../db/sealing.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import type { Session } from '../../http/session.ts';
import { announceDeviceChange } from '../live/index.ts';
import { assertNotEnded } from '../sessions/index.ts';
import {
  findFrpcAccount,
  type FrpcAccountRow,
  insertFrpcAccount,
  listTomlDevicesForUpdate,
  updateAccountToken,
} from './frpc-account-store.ts';
import { updateFrpcToken } from './frpc-device-store.ts';
import { randomToken, sealFrpcToken } from './frpc-token.ts';

type Deps = { db: Db; sealingKey: Buffer };
/** With what the frpc of a user's own frpc.toml log in: all devices of the account alike. */
export type FrpcAccountIdentity = { login: string; token: string };

const LOGIN_BYTES = 5;
const LOGIN_ATTEMPTS = 3;

/** Creates it where the account has none. Throws session.required. */
export async function readFrpcAccount({ db, sealingKey }: Deps, session: Session): Promise<FrpcAccountIdentity> {
  const { userId } = session;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    await assertNotEnded(tx, session);
    const account = (await findFrpcAccount(tx, userId)) ?? (await insertAccount(tx, sealingKey, userId));
    return { login: account.login, token: readAccountToken(sealingKey, account) };
  });
}

/** Gives the account another token; every frpc that uses the former one is cut off. Throws session.required. */
export async function rotateFrpcAccount({ db, sealingKey }: Deps, session: Session): Promise<FrpcAccountIdentity> {
  const { userId } = session;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    await assertNotEnded(tx, session);
    const { login } = (await findFrpcAccount(tx, userId)) ?? (await insertAccount(tx, sealingKey, userId));
    const token = randomToken();
    await updateAccountToken(tx, { userId, tokenSealed: seal(sealingKey, token, purposeOf(login)) });
    for (const { id, uid } of await listTomlDevicesForUpdate(tx, userId)) {
      await updateFrpcToken(tx, { id, userId, frpcTokenSealed: sealFrpcToken(sealingKey, { uid, token }) });
      await announceDeviceChange(tx, { deviceId: id, userId });
    }
    return { login, token };
  });
}

export function readAccountToken(sealingKey: Buffer, { login, tokenSealed }: FrpcAccountRow): string {
  return unseal(sealingKey, tokenSealed, purposeOf(login));
}

async function insertAccount(tx: Db, sealingKey: Buffer, userId: number): Promise<FrpcAccountRow> {
  let account: FrpcAccountRow | undefined;
  for (let attempt = 0; attempt < LOGIN_ATTEMPTS && account === undefined; attempt++) {
    const login = `${FRPC_LOGIN_PREFIX}${randomBytes(LOGIN_BYTES).toString('hex')}`;
    account = await insertFrpcAccount(tx, {
      ...{ userId, login },
      tokenSealed: seal(sealingKey, randomToken(), purposeOf(login)),
    });
  }
  return must(account, `a free login in ${LOGIN_ATTEMPTS} attempts`);
}

function purposeOf(login: string): string {
  return `frpc-account:${login}`;
}
