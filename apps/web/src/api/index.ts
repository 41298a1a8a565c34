export { ApiProvider, useApi, type Api } from './api-context.ts';
export { ApiError, errorCode, fieldErrors, retryAfterSeconds } from './api-error.ts';
export { devicesKey, useDevices } from './devices.ts';
export { errorText } from './error-text.ts';
export { forgetUser, isLoggedIn, profileQuery, useProfile } from './session.ts';
export { useSiteConfig, useSiteConfigQuery } from './site.ts';
export { type Reachability, useIsOnline, useReachability } from './use-reachability.ts';
export { useLiveUpdates } from './use-live-updates.ts';
