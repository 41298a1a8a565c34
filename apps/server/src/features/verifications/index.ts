export { assertRoomForProof } from './assert-room-for-proof.ts';
export { assertMayLetPass, letAddressPass, readIpAllowance } from './let-address-pass.ts';
export { revokeProofsOfLogins } from './revoke-proofs.ts';
export { mayOpenByLogin, recordProof } from './record-proof.ts';
export { moveProofs } from './session-proof-store.ts';
export { registerVerificationRoutes } from './verification-routes.ts';
export {
  cameByLink,
  deleteEndedVerificationsOf,
  deleteOldVerifications,
  deleteVerificationsOf,
  findVerifiedUntil,
  markGroundsRevoked,
} from './verification-store.ts';
