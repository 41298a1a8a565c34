import { networkOf } from '@tongtu/base';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import { describeDevice } from '../../http/describe-device.ts';
import { placeOf } from '../places/index.ts';
import { insertDelivery, listListeners } from './delivery-store.ts';
import { listKnownLogins, listLivingSessions, saveKnownLogin, type KnownLogin } from './known-login-store.ts';

export type Login = { userId: number; ip: string; userAgent: string };

/**
 * Writes down that the account's owner is to be told of a login by a browser or from a place that was not there before.
 * Call it in the login's transaction, before the session is there. It never fails: what goes wrong is logged and undone.
 */
export async function tellOfLogin(tx: Db, login: Login, log: Pick<Logger, 'error'>): Promise<void> {
  try {
    await inSavepoint(tx, async () => await tell(tx, login));
  } catch (err) {
    log.error({ err, userId: login.userId }, 'could not tell of a login');
  }
}

async function tell(tx: Db, { userId, ip, userAgent }: Login): Promise<void> {
  const login = describe({ ip, userAgent });
  const known = [...(await listKnownLogins(tx, userId)), ...(await listLivingSessions(tx, userId)).map(describe)];
  await saveKnownLogin(tx, userId, login);
  if (known.length === 0 || isFamiliar(known, login)) return;
  const details = {
    event: 'new_login' as const,
    at: new Date().toISOString(),
    browser: login.browser,
    place: placeOf(ip),
    ip,
  };
  for (const { id: channelId } of await listListeners(tx, userId, 'new_login')) {
    await insertDelivery(tx, channelId, details);
  }
}

/** Both, not necessarily together: half of the world has the most common browser, a stranger elsewhere as well. */
function isFamiliar(known: KnownLogin[], { browser, place }: KnownLogin): boolean {
  return known.some((one) => one.browser === browser) && known.some((one) => one.place === place);
}

/** Where nobody knows where an address is, its network stands for the place. */
function describe({ ip, userAgent }: { ip: string; userAgent: string }): KnownLogin {
  return { browser: describeDevice(userAgent), place: placeOf(ip) || networkOf(ip) };
}
