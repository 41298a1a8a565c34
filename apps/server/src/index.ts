export { type AcmeConfig, isPublicName } from './features/certificates/index.ts';
export { type PaymentConfig, readPrivateKey, readPublicKey } from './features/payments/index.ts';
export type { WechatConfig } from './features/sso/index.ts';
export type { MessageConfig } from './message-config.ts';
export type { ServerConfig } from './server-config.ts';
export { makeSuperuserIn } from './make-superuser.ts';
export { StartError, type StartErrorCode } from './start-error.ts';
export { startServer, type RunningServer } from './start-server.ts';
