export { type FrpcAddress, registerFrpcDeviceRoutes } from './frpc-device-routes.ts';
export { readFrpcToken } from './frpc-token.ts';
