const MIB = 1024 * 1024;

export type GatewayLimits = {
  /** Open at the same time, of all users. */
  maxSessions: number;
  /** Connections to the target that one session has at a time. */
  maxStreamsPerSession: number;
  /** Without anything that the user does, a session ends after this time, and warns before. */
  idleMs: number;
  idleWarningMs: number;
  /** A session without a connection from the browser ends after this time: enough to reload the page. */
  abandonedMs: number;
  /** One with a shell that still runs ends after this time: long enough to come back to it. */
  keptMs: number;
  usageReportMs: number;
  /** What targets make us hold: of one session, of the account that opened it, of the devices of one owner, of all. */
  held: HeldLimits;
  /** Of the event loop: after so long the targets of one account wait until others had their turn. */
  turnMs: number;
};

export type HeldLimits = {
  maxBytesPerSession: number;
  maxBytesPerAccount: number;
  maxBytesPerOwner: number;
  maxBytes: number;
  /** So much an account may hold even while others hold all of `maxBytes`. */
  reservedBytesPerAccount: number;
};

/**
 * The process ends at a heap of 768 MB. What is counted is mostly the size in memory as it is known in advance, so the
 * sum stays well below.
 */
const heldLimits: HeldLimits = {
  maxBytesPerSession: 64 * MIB,
  maxBytesPerAccount: 96 * MIB,
  maxBytesPerOwner: 192 * MIB,
  maxBytes: 320 * MIB,
  reservedBytesPerAccount: MIB,
};

export const defaultGatewayLimits: GatewayLimits = {
  maxSessions: 300,
  maxStreamsPerSession: 16,
  idleMs: 30 * 60_000,
  idleWarningMs: 60_000,
  abandonedMs: 60_000,
  keptMs: 10 * 60_000,
  usageReportMs: 5_000,
  held: heldLimits,
  turnMs: 10,
};

/** What a connection costs before anything of it is kept: the buffers of its socket and of the streams over it. */
export const STREAM_BYTES = 256 * 1024;
