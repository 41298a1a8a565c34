import { timingSafeEqual } from 'node:crypto';
import { AppError, SsoState } from '@tongtu/contract';
import type { CallRequest } from '../../http/session.ts';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { consumeConfirmedLogin } from './sso-login-store.ts';
import { readStates } from './script/state-cookie.ts';
import type { WechatIdentity } from './phone/wechat-app.ts';

/** Whether this browser made the state. Another browser that knows it does not have the cookie. */
export function isOwnState(req: CallRequest, state: string): boolean {
  return readStates(req).some((held) => timingSafeEqual(hashSecret(held), hashSecret(state)));
}

/**
 * Uses the one-time code of a state, atomically. Throws `wechat.code-invalid` when it is wrong, used, older than 60 s or
 * for another browser's state.
 */
export async function useSsoCode(
  tx: Db,
  { code, state, req }: { code: string; state: string; req: CallRequest },
): Promise<WechatIdentity> {
  const isAllowed = SsoState.safeParse(state).success && isOwnState(req, state);
  const identity = isAllowed ? await consumeConfirmedLogin(tx, hashSecret(state), hashSecret(code)) : undefined;
  if (!identity) throw new AppError('wechat.code-invalid');
  return identity;
}
