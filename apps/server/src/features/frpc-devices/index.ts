export { claimFrpcLogin } from './claim-login.ts';
export { deleteOldLoginSeconds, type FrpcLoginTime, markSpeaksV2 } from './frpc-login-store.ts';
export { chooseFrpcAddress, type FrpcAddress } from './choose-frpc-address.ts';
export { registerFrpcDeviceRoutes } from './frpc-device-routes.ts';
export { readFrpcToken } from './frpc-token.ts';
export { type FrpcLogin, logInFrpc } from './log-in-frpc.ts';
