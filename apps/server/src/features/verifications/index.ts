export { assertRoomForProof } from './assert-room-for-proof.ts';
export { assertMayLetPass, letAddressPass, readIpAllowance } from './let-address-pass.ts';
export { revokeProofsOfLogins } from './revoke-proofs.ts';
export { holdSession, moveProofs } from './session-proof-store.ts';
export { registerVerificationRoutes } from './verification-routes.ts';
export {
  cameByLink,
  deleteEndedVerificationsOf,
  deleteOldVerifications,
  deleteVerificationsOf,
  findVerifiedUntil,
  insertVerification,
  markGroundsRevoked,
} from './verification-store.ts';
export { VERIFIED_HOURS } from './verified-hours.ts';
