export { registerSsoHost, SSO_PATH, type SsoHost } from './sso-host.ts';
export type { SsoHostDeps } from './sso-host-deps.ts';
export { deleteExpiredSsoLogins } from './sso-login-store.ts';
export { useSsoCode } from './use-sso-code.ts';
export { createWechatApp, type WechatAppConfig } from './wechat-app.ts';
export type { WechatIdentity } from './wechat-identity.ts';
