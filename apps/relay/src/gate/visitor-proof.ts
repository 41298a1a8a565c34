/** What a verified visitor's cookie states; the signature binds it to one host and one mapping. */
export type VisitorProof = Readonly<{ mappingId: number; verificationId: number; expiresAtMs: number }>;
