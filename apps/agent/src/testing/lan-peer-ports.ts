/** Where the peer's SSDP description is. */
export const DESCRIPTION_PORT = 49_000;
/** On the scanner's own machine: a description there would be of somebody else. */
export const TRAP_PORT = 49_001;
