export { deleteExpiredSsoLogins } from './sso-login-store.ts';
export { useSsoCode } from './use-sso-code.ts';
export type { WechatIdentity } from './wechat-identity.ts';
