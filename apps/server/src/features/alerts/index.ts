export { registerAlertRoutes } from './alert-routes.ts';
export { deleteOldDeliveries } from './delivery-store.ts';
export { deleteOldKnownLogins } from './known-login-store.ts';
export { runAlerts } from './run-alerts.ts';
export { notifyOfAccessRequest } from './notify-of-access-request.ts';
export { notifyOfLedger } from './notify-of-ledger.ts';
export { notifyOfLogin } from './notify-of-login.ts';
export { notifyOfPasskey } from './notify-of-passkey.ts';
