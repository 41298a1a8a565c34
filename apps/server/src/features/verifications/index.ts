export { assertRoomForProof } from './assert-room-for-proof.ts';
export { assertMayVerifyAddress, addVerifiedAddress, readAddressAllowance } from './add-verified-address.ts';
export { revokeProofsOfLogins } from './revoke-proofs.ts';
export { lockLoginForProof, recordProof } from './record-proof.ts';
export { moveProofs } from './session-proof-store.ts';
export { registerVerificationRoutes } from './verification-routes.ts';
export {
  wasGrantedByLink,
  deleteEndedVerificationsOf,
  deleteOldVerifications,
  deleteVerificationsOf,
  findVerifiedUntil,
  markGroundsRevoked,
} from './verification-store.ts';
