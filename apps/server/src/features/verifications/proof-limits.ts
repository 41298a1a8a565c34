/**
 * Limits of proofs whose cookies have not expired, which are those of 48 hours. A person's browsers need a few a day.
 * Revoked proofs count, because relays must remember them until the cookie expires. Except in ofDevice, proofs of deleted
 * mappings count, too: otherwise an owner who creates mappings again could make any number of proofs.
 */
export const proofLimits = {
  /** Proofs of one login at all mappings. A stolen login leaves room for its owner, and its proofs can be revoked at once. */
  ofLogin: 500,
  /** Proofs of one member, or of all browsers without a login in one network, at one mapping or its name. */
  ofVisitor: 1_000,
  /** Proofs of everybody but the owner at one mapping. Visitors of one mapping cannot use up the limit of others. */
  ofMapping: 10_000,
  /** Proofs of everybody but the owner at all mappings of a device, which are sent to relays together. */
  ofDevice: 20_000,
  /** As ofDevice, with deleted mappings. The owner can twice make room by deleting mappings that anonymous clients filled. */
  ofDeviceWithDeleted: 60_000,
  /** Proofs of the owner at all mappings of a device. Nobody else uses up this limit. */
  ofOwner: 10_000,
};

/** Limit of an account's verified addresses and extended proofs, which relays store for longer than a cookie's life. */
export const MAX_PUBLISHED_PROOFS = 1_000;
