export { turnOffSecondFactor } from './change-factors.ts';
export { passkeyReply } from './factor-routes.ts';
export { hasSecondFactor, listFactors } from './factor-store.ts';
export { finishLogin, type LoginDeps } from './finish-login.ts';
export { deleteExpiredPasskeyChallenges } from './passkeys/passkey-challenge-store.ts';
export { listPasskeys } from './passkeys/passkey-store.ts';
export { countRecoveryCodes } from './codes/recovery-code-store.ts';
export { registerSecondFactorRoutes } from './second-factor-routes.ts';
