export { registerManageDeviceRoutes } from './manage-device-routes.ts';
