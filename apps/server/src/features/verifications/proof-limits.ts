/**
 * How many proofs there may be whose cookies have not run out yet; of all that was made in 48 hours, that is. Those that
 * were ended count as well, because relays must remember them until then; and, but for ofDevice, those of mappings that were
 * deleted, or whoever makes them anew would make proofs without end. A person's browsers need a few a day.
 */
export const proofLimits = {
  /** One login's, at all mappings: who has stolen one leaves its owner room, and what it opened can be ended at once. */
  ofLogin: 500,
  /** One member's, or of all browsers of one network that have no login, at one mapping or under its name. */
  ofVisitor: 1_000,
  /** Everybody's but the owner's: whoever knows one mapping's password shuts nobody out of the others. */
  ofMapping: 10_000,
  /** Everybody's but the owner's at all mappings that a device has, whose relays are told of them together. */
  ofDevice: 20_000,
  /** The same with those of its deleted mappings: their owner makes room by deleting what strangers filled, twice. */
  ofDeviceWithDeleted: 60_000,
  /** The owner's at all mappings of a device: nobody else takes their place. */
  ofOwner: 10_000,
};

/** What relays must know of all mappings of an account for longer: addresses that pass, and proofs that were extended. */
export const MAX_PUBLISHED_PROOFS = 1_000;
