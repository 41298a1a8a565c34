import type { Route } from '@tongtu/contract';
import { cookieValues } from '../http1/cookies.ts';
import type { Field } from '../http1/fields.ts';
import { proofEndsAtMs } from './proof-end.ts';
import { verifyVisitorProof, VISITOR_COOKIE } from './visitor-cookie.ts';
import type { VisitorProof } from './visitor-proof.ts';

/** A browser has one such cookie per host; more of them can only be a try. */
const MAX_PROOFS = 4;

/** What a request's cookies prove of its sender's verification for this host and mapping. */
export function findVisitorProof(
  gateKey: Buffer | undefined,
  route: Route,
  fields: readonly Field[],
  nowMs: number,
): VisitorProof | undefined {
  if (gateKey === undefined) return undefined;
  const expected = { host: route.host, mappingId: route.mappingId };
  for (const value of cookieValues(fields, VISITOR_COOKIE).slice(0, MAX_PROOFS)) {
    const proof = verifyVisitorProof(gateKey, value, expected);
    if (proof !== undefined && proofEndsAtMs(route, proof) > nowMs) return proof;
  }
  return undefined;
}
