import { withoutHiddenCharacters } from '@tongtu/contract';
import type { z } from 'zod';
import { WechatToken, WechatUser, readWechatAnswer } from './wechat-answer.ts';
import { WechatError, reasonOfErrcode } from './wechat-error.ts';

export type WechatAppConfig = {
  appId: string;
  appSecret: string;
  /** The URL of the consent page (https://open.weixin.qq.com). */
  openUrl: string;
  /** The URL of the API (https://api.weixin.qq.com). */
  apiUrl: string;
  /** True for the fake WeChat. Every page that leads to it says so. */
  isFake: boolean;
};

/** A WeChat user. `openId` identifies them within one app, `unionId` in all apps of its operator. */
export type WechatIdentity = { appId: string; openId: string; unionId: string | null; nickname: string };

export type WechatApp = {
  isFake: boolean;
  /** The consent page. WeChat then redirects to `redirectUri` with `code` and `state`, or with `state` alone. */
  authorizeUrl: (input: { redirectUri: string; state: string }) => string;
  /** The identity of the user who consented. Throws WechatError. */
  identify: (code: string) => Promise<WechatIdentity>;
};

const CALL_TIMEOUT_MS = 5_000;
const MAX_NICKNAME_LENGTH = 64;

/** WeChat's web authorization of an official account (snsapi_userinfo). */
export function createWechatApp(config: WechatAppConfig): WechatApp {
  const { appId, openUrl, isFake } = config;
  return {
    isFake,
    authorizeUrl({ redirectUri, state }) {
      // WeChat requires this order of parameters and the fragment.
      const query = new URLSearchParams([
        ['appid', appId],
        ['redirect_uri', redirectUri],
        ['response_type', 'code'],
        ['scope', 'snsapi_userinfo'],
        ['state', state],
      ]);
      return `${openUrl}/connect/oauth2/authorize?${query.toString()}#wechat_redirect`;
    },
    identify: async (code) => await identify(config, code),
  };
}

async function identify(config: WechatAppConfig, code: string): Promise<WechatIdentity> {
  const { appId, appSecret: secret } = config;
  const token = await callWechat(config, WechatToken, '/sns/oauth2/access_token', {
    appid: appId,
    secret,
    code,
    grant_type: 'authorization_code',
  });
  // The user only previews the page, for which WeChat makes up a user each time.
  if (token.is_snapshotuser === 1) throw new WechatError('snapshot');
  const user = await callWechat(config, WechatUser, '/sns/userinfo', {
    access_token: token.access_token,
    openid: token.openid,
    lang: 'zh_CN',
  });
  if (user.openid !== token.openid) throw new WechatError('refused');
  const nickname = withoutHiddenCharacters([...user.nickname].slice(0, MAX_NICKNAME_LENGTH).join(''));
  return { appId, openId: user.openid, unionId: user.unionid ?? token.unionid ?? null, nickname };
}

async function callWechat<Schema extends z.ZodType>(
  { apiUrl }: WechatAppConfig,
  schema: Schema,
  path: string,
  query: Record<string, string>,
): Promise<z.output<Schema>> {
  const answer = readWechatAnswer(schema, await fetchText(`${apiUrl}${path}?${new URLSearchParams(query).toString()}`));
  if (answer.type === 'error') throw new WechatError(reasonOfErrcode(answer.errcode), answer);
  return answer.value;
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    const text = await response.text();
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return text;
  } catch (cause) {
    throw new WechatError('busy', { cause });
  }
}
