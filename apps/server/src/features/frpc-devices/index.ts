export { type FrpcAddress, registerFrpcDeviceRoutes } from './frpc-device-routes.ts';
export { readFrpcToken } from './frpc-token.ts';
export { type FrpcLogin, logInFrpc } from './log-in-frpc.ts';
