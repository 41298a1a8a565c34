import { createHmac, timingSafeEqual } from 'node:crypto';
import type { VisitorFacts } from '../codecs/http/forwarded.ts';
import { findProvenCookie, rememberProvenCookie } from './proven-cookies.ts';
import type { ProofPlace, VisitorProof } from './visitor-proof.ts';

const NAMES = { http: 'tongtu_visitor', https: '__Host-tongtu_visitor' } as const;

/** The cookie's possible names. No service may read or set them. */
export const visitorCookieNames: readonly string[] = Object.values(NAMES);

/**
 * Over https it has the prefix that keeps pages of other tenants from setting it. There are two names, because browsers
 * refuse a cookie over plain http where a Secure one of the same name exists.
 */
export function visitorCookieName(scheme: VisitorFacts['scheme']): string {
  return NAMES[scheme];
}

/** One text for each proof: no leading zeros, and the signature is compared as text. */
const PROOF = /^2\.([1-9][0-9]{0,9})\.([1-9][0-9]{0,14})\.([1-9][0-9]{0,14})\.([A-Za-z0-9_-]{43})$/;

/** The cookie value: anyone can read it, only the holder of the key can make it. */
export function signVisitorProof(gateKey: Buffer, place: ProofPlace, proof: VisitorProof): string {
  const signature = signatureOf(gateKey, place, proof);
  return `2.${proof.mappingId}.${proof.verificationId}.${proof.expiresAtMs}.${signature}`;
}

/** The proof, when the value was signed for this place and mapping. The caller checks whether it is still valid. */
export function verifyVisitorProof(
  gateKey: Buffer,
  value: string,
  { mappingId, ...place }: ProofPlace & { mappingId: number },
): VisitorProof | undefined {
  const proof = findProvenCookie(gateKey, place, value) ?? readSignedProof(gateKey, place, value);
  return proof?.mappingId === mappingId ? proof : undefined;
}

function readSignedProof(gateKey: Buffer, place: ProofPlace, value: string): VisitorProof | undefined {
  const match = PROOF.exec(value);
  if (match === null) return undefined;
  const proof = { mappingId: Number(match[1]), verificationId: Number(match[2]), expiresAtMs: Number(match[3]) };
  const signature = Buffer.from(match[4] ?? '', 'latin1');
  const correct = Buffer.from(signatureOf(gateKey, place, proof), 'latin1');
  if (signature.length !== correct.length || !timingSafeEqual(signature, correct)) return undefined;
  rememberProvenCookie(gateKey, place, value, proof);
  return proof;
}

function signatureOf(gateKey: Buffer, { host, scheme }: ProofPlace, proof: VisitorProof): string {
  return createHmac('sha256', gateKey)
    .update(`tongtu visitor v2\n${scheme}\n${host}\n${proof.mappingId}\n${proof.verificationId}\n${proof.expiresAtMs}`)
    .digest('base64url');
}
