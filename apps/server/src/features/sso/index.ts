export { openSsoHost } from './open-sso-host.ts';
export { redeemAtOtherHost, type RedeemCode, redeemOwnCode } from './redeem-code.ts';
export { SSO_PATH } from './sso-host.ts';
export { deleteExpiredSsoLogins } from './sso-login-store.ts';
export { ssoUrlOf, type WechatConfig } from './wechat-config.ts';
export type { WechatIdentity } from './phone/wechat-app.ts';
