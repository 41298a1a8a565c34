/** What is counted of one mapping besides its bytes, which its streams count themselves. */
export type MappingMeter = {
  /** One HTTP request, TCP connection or UDP conversation. */
  begin(): void;
  /** The first bytes of its final answer came; no status for TCP and UDP. */
  answered(status: number | undefined, firstByteMs: number): void;
  /** It got no whole answer: none at all, or one that was cut. */
  failed(): void;
};

/** For what is nobody's mapping. */
export const noMeter: MappingMeter = { begin() {}, answered() {}, failed() {} };
