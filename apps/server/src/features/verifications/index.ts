export { canonicalAddress } from './canonical-address.ts';
export { assertMayLetPass, letAddressPass, readIpAllowance } from './let-address-pass.ts';
export { registerVerificationRoutes } from './verification-routes.ts';
export {
  cameByLink,
  deleteOldVerifications,
  findVerifiedUntil,
  insertVerification,
  lockUser,
  markGroundsRevoked,
} from './verification-store.ts';
export { VERIFIED_HOURS } from './verified-hours.ts';
