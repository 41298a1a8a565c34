import { createHmac, timingSafeEqual } from 'node:crypto';
import { findProvenCookie, rememberProvenCookie } from './proven-cookies.ts';
import type { VisitorProof } from './visitor-proof.ts';

export const VISITOR_COOKIE = 'tongtu_visitor';

const PROOF = /^1\.([0-9]{1,10})\.([0-9]{1,15})\.([0-9]{1,15})\.([A-Za-z0-9_-]{43})$/;

/** The cookie value: readable by anyone, made only by who holds the key. */
export function signVisitorProof(gateKey: Buffer, host: string, proof: VisitorProof): string {
  const signature = signatureOf(gateKey, host, proof).toString('base64url');
  return `1.${proof.mappingId}.${proof.verificationId}.${proof.expiresAtMs}.${signature}`;
}

/** The proof, when the value was signed for this host and mapping and has not expired. */
export function verifyVisitorProof(
  gateKey: Buffer,
  value: string,
  expected: { host: string; mappingId: number; nowMs: number },
): VisitorProof | undefined {
  const { host, mappingId, nowMs } = expected;
  const proof = findProvenCookie(gateKey, host, value) ?? readSignedProof(gateKey, host, value);
  return proof !== undefined && proof.mappingId === mappingId && proof.expiresAtMs > nowMs ? proof : undefined;
}

function readSignedProof(gateKey: Buffer, host: string, value: string): VisitorProof | undefined {
  const match = PROOF.exec(value);
  if (match === null) return undefined;
  const proof = { mappingId: Number(match[1]), verificationId: Number(match[2]), expiresAtMs: Number(match[3]) };
  const signature = Buffer.from(match[4] ?? '', 'base64url');
  const correct = signatureOf(gateKey, host, proof);
  if (signature.length !== correct.length || !timingSafeEqual(signature, correct)) return undefined;
  rememberProvenCookie(gateKey, host, value, proof);
  return proof;
}

function signatureOf(gateKey: Buffer, host: string, proof: VisitorProof): Buffer {
  return createHmac('sha256', gateKey)
    .update(`tongtu visitor v1\n${host}\n${proof.mappingId}\n${proof.verificationId}\n${proof.expiresAtMs}`)
    .digest();
}
