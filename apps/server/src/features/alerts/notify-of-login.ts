import { networkOf } from '@tongtu/base';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { placeOf } from '../places/index.ts';
import { insertDelivery, listSubscribedChannels } from './delivery-store.ts';
import { listActiveSessions, listKnownLogins, saveKnownLogin, type KnownLogin } from './known-login-store.ts';

export type Login = { userId: number; ip: string; userAgent: string };

/**
 * Inserts the deliveries of an alert about a login from an unknown browser or place. Call it in the login's transaction,
 * before the session is inserted. It never throws: a failure is logged and rolled back to a savepoint.
 */
export async function notifyOfLogin(tx: Db, login: Login, log: Pick<Logger, 'error'>): Promise<void> {
  try {
    await inSavepoint(tx, async () => await insertLoginDeliveries(tx, login));
  } catch (err) {
    log.error({ err, userId: login.userId }, 'the alert about a login could not be saved');
  }
}

async function insertLoginDeliveries(tx: Db, { userId, ip, userAgent }: Login): Promise<void> {
  const login = toKnownLogin({ ip, userAgent });
  const known = [...(await listKnownLogins(tx, userId)), ...(await listActiveSessions(tx, userId)).map(toKnownLogin)];
  await saveKnownLogin(tx, userId, login);
  if (known.length === 0 || isFamiliar(known, login)) return;
  const details = {
    event: 'new_login' as const,
    at: new Date().toISOString(),
    browser: login.browser,
    place: placeOf(ip),
    ip,
  };
  for (const { id: channelId } of await listSubscribedChannels(tx, userId, 'new_login')) {
    await insertDelivery(tx, channelId, details);
  }
}

/** Browser and place must both be known, though not from one login: a common browser alone proves little. */
function isFamiliar(known: KnownLogin[], { browser, place }: KnownLogin): boolean {
  return known.some((one) => one.browser === browser) && known.some((one) => one.place === place);
}

/** For an address whose place is unknown, its network is used in place of the place's name. */
function toKnownLogin({ ip, userAgent }: { ip: string; userAgent: string }): KnownLogin {
  return { browser: describeDevice(userAgent), place: placeOf(ip) || networkOf(ip) };
}
