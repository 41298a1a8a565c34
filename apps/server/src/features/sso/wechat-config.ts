import type { OtherSsoHost } from './redeem-code.ts';
import { SSO_PATH } from './sso-host.ts';
import type { WechatAppConfig } from './phone/wechat-app.ts';

/** What our own host asks: WeChat itself with the operator's app, or this machine's imitation of it, for development. */
export type OwnHostConfig = ({ type: 'app' } & Omit<WechatAppConfig, 'isFake'>) | { type: 'fake' };

/** How people log in by WeChat: through the host that this server carries, or through another one. */
export type WechatConfig = OwnHostConfig | ({ type: 'other-host' } & OtherSsoHost);

/** Where the console reaches the single sign-on host; null: there is none. */
export function ssoUrlOf(wechat: WechatConfig | undefined): string | null {
  if (wechat === undefined) return null;
  return wechat.type === 'other-host' ? wechat.url : SSO_PATH;
}
