import type { VisitorFacts } from '../codecs/http/forwarded.ts';

/** What a verified visitor's cookie states; the signature binds it to one place and one mapping. */
export type VisitorProof = Readonly<{ mappingId: number; verificationId: number; expiresAtMs: number }>;

/** Where a proof counts. By its scheme too: a cookie that went over http may have been read on the way. */
export type ProofPlace = { host: string } & Pick<VisitorFacts, 'scheme'>;
