/** Raised when an agent and a relay of different ages would misread each other; see messages.test.ts. */
export const PROTOCOL_VERSION = 1;
