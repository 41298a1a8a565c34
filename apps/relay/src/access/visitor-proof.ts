import type { VisitorFacts } from '../codecs/http/forwarded.ts';

/** What a verified visitor's cookie states; the signature binds it to one place and one mapping. */
export type VisitorProof = Readonly<{ mappingId: number; verificationId: number; expiresAtMs: number }>;

/** Where a proof is valid. The scheme is part of it: a cookie sent over http may have been read on the way. */
export type ProofPlace = { host: string } & Pick<VisitorFacts, 'scheme'>;
