import type { OtherSsoHost } from './redeem-code.ts';
import { SSO_PATH } from './sso-host.ts';
import type { WechatAppConfig } from './phone/wechat-app.ts';

/** The WeChat of our own host: the real one with the operator's app, or the fake, for development. */
export type OwnHostConfig = ({ type: 'app' } & Omit<WechatAppConfig, 'isFake'>) | { type: 'fake' };

/** How users log in by WeChat: through this server's own single sign-on host, or through another one. */
export type WechatConfig = OwnHostConfig | ({ type: 'other-host' } & OtherSsoHost);

/** The URL at which the console reaches the single sign-on host; null when there is none. */
export function ssoUrlOf(wechat: WechatConfig | undefined): string | null {
  if (wechat === undefined) return null;
  return wechat.type === 'other-host' ? wechat.url : SSO_PATH;
}
