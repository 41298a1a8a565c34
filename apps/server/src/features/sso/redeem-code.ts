import { parseJson } from '@tongtu/base';
import { AppError, SsoIdentity, SsoState, withoutHiddenCharacters } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { CallRequest } from '../../http/session.ts';
import { isOwnState, useSsoCode } from './use-sso-code.ts';
import type { WechatIdentity } from './phone/wechat-app.ts';

type GivenCode = { code: string; state: string; req: CallRequest };

/**
 * Exchanges a single sign-on host's code for the identity. In two steps, because no transaction may wait for another
 * host. Both throw `wechat.code-invalid`; the first also `server.unavailable`.
 */
export type RedeemCode = (given: GivenCode) => Promise<(tx: Db) => Promise<WechatIdentity>>;

/** For codes of this server's own host: used in the transaction that needs the identity. */
export const redeemOwnCode: RedeemCode = async (given) => async (tx) => await useSsoCode(tx, given);

export type OtherSsoHost = { url: string; secret: string };

const CALL_TIMEOUT_MS = 5_000;
const MAX_NICKNAME_LENGTH = 64;

/** For codes of another host: `POST {url}/wechat/identity` uses the code there. */
export function redeemAtOtherHost(host: OtherSsoHost): RedeemCode {
  return async ({ code, state, req }) => {
    // The other host does not receive our cookies, so this server checks that this browser made the state.
    if (!SsoState.safeParse(state).success || !isOwnState(req, state)) throw new AppError('wechat.code-invalid');
    const identity = await fetchIdentity(host, { code, state });
    return async () => identity;
  };
}

async function fetchIdentity({ url, secret }: OtherSsoHost, body: object): Promise<WechatIdentity> {
  let text: string;
  try {
    const response = await fetch(`${url}/wechat/identity`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    if (response.status === 404 || response.status === 422) throw new AppError('wechat.code-invalid');
    if (!response.ok) throw new Error(`the single sign-on host answered ${response.status}`);
    text = await response.text();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('server.unavailable', { cause });
  }
  const identity = SsoIdentity.safeParse(parseJson(text));
  if (!identity.success) throw new AppError('server.unavailable', { cause: identity.error });
  const { appid, openid, unionid, nickname } = identity.data;
  const shownName = withoutHiddenCharacters([...nickname].slice(0, MAX_NICKNAME_LENGTH).join(''));
  return { appId: appid, openId: openid, unionId: unionid ?? null, nickname: shownName };
}
