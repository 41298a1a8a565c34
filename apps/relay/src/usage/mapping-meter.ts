/** Streams count their bytes themselves, but those of UDP, of which the lengths of datagrams are not payload. */
export type ByteMeter = {
  /** From a visitor to the LAN service. */
  addBytesIn(bytes: number): void;
  /** From the LAN service to a visitor. */
  addBytesOut(bytes: number): void;
};

/** What is counted of one mapping. */
export type MappingMeter = ByteMeter & {
  /** One HTTP request, TCP connection or UDP conversation. */
  begin(): void;
  /** The first bytes of its final answer came; no status for TCP and UDP. */
  answered(status: number | undefined, firstByteMs: number): void;
  /** It got no whole answer: none at all, or one that was cut. */
  failed(): void;
};

/** For streams whose bytes are not all payload: whoever knows which are counts them. */
export const noBytes: ByteMeter = { addBytesIn() {}, addBytesOut() {} };

/** For what is nobody's mapping. */
export const noMeter: MappingMeter = { ...noBytes, begin() {}, answered() {}, failed() {} };
