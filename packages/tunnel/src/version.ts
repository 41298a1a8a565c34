/** Raised when an agent and a relay of different releases would misunderstand each other; see messages.test.ts. */
export const PROTOCOL_VERSION = 1;
