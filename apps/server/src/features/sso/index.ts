export { openSsoHost, type WechatConfig } from './open-sso-host.ts';
export { SSO_PATH } from './sso-host.ts';
export { deleteExpiredSsoLogins } from './sso-login-store.ts';
export { useSsoCode } from './use-sso-code.ts';
export type { WechatIdentity } from './wechat-identity.ts';
