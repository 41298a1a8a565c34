export { turnOffSecondFactor } from './change-factors.ts';
export { deleteExpiredSecondSteps } from './clean-up.ts';
export { passkeyReply } from './factor-routes.ts';
export { hasSecondFactor, listFactors } from './factor-store.ts';
export { finishLogin, type LoginDeps } from './finish-login.ts';
export { listPasskeys } from './passkeys/passkey-store.ts';
export { countRecoveryCodes } from './codes/recovery-code-store.ts';
export { registerSecondFactorRoutes } from './second-factor-routes.ts';
