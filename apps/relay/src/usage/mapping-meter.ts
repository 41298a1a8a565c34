/** Streams count their bytes themselves, except those of UDP, where the lengths of datagrams are no payload. */
export type ByteMeter = {
  /** From a visitor to the LAN service. */
  addBytesIn(bytes: number): void;
  /** From the LAN service to a visitor. */
  addBytesOut(bytes: number): void;
};

/** Who makes a request. */
export type UsageVisitor = {
  readonly address: string;
  /** Undefined also when nobody had to read the proof. */
  readonly knownProof?: { verificationId: number } | undefined;
};

/** What is counted of one mapping. */
export type MappingMeter = ByteMeter & {
  /** One HTTP request, TCP connection or UDP conversation. */
  begin(visitor: UsageVisitor | undefined): void;
  /** The first bytes of its final answer arrived; no status for TCP and UDP. */
  answered(status: number | undefined, firstByteMs: number): void;
  /** It got no complete answer: none, or one that was cut. */
  failed(): void;
};

/** For streams whose bytes are not all payload: their user counts the payload. */
export const noBytes: ByteMeter = { addBytesIn() {}, addBytesOut() {} };

/** For requests of no mapping. */
export const noMeter: MappingMeter = { ...noBytes, begin() {}, answered() {}, failed() {} };
