export { createAccountToken, findTokenOwner, readAccountToken } from './account-token.ts';
export { deleteOldFailures } from './login-failure-store.ts';
export { hashPassword } from './password-hash.ts';
export { resetPassword } from './reset-password.ts';
export { deleteExpiredTokenSigns } from './token-sign-store.ts';
export { useTokenSign } from './token-sign.ts';
export { registerUserRoutes } from './user-routes.ts';
export { insertUser } from './user-store.ts';
