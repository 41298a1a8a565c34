import { proofEndsAtMs, type Route } from '@tongtu/contract';
import { cookieValues } from '../codecs/http/cookies.ts';
import type { Field } from '../codecs/http/fields.ts';
import type { VisitorFacts } from '../codecs/http/forwarded.ts';
import { verifyVisitorProof, visitorCookieName } from './visitor-cookie.ts';
import type { VisitorProof } from './visitor-proof.ts';

/**
 * A browser has one such cookie for each host. Over http pages of neighbouring hosts may put more before it, one for each
 * piece of a path: ours belongs to `/`, and so comes behind those.
 */
const MAX_PROOFS = 16;

/** What a request's cookies prove of its sender's verification for this host and mapping. */
export function findVisitorProof(
  gateKey: Buffer | undefined,
  route: Route,
  { fields, scheme }: { fields: readonly Field[] } & Pick<VisitorFacts, 'scheme'>,
  wallClockMs: number,
): VisitorProof | undefined {
  if (gateKey === undefined) return undefined;
  const expected = { host: route.host, scheme, mappingId: route.mappingId };
  for (const value of cookieValues(fields, visitorCookieName(scheme)).slice(-MAX_PROOFS)) {
    const proof = verifyVisitorProof(gateKey, value, expected);
    if (proof !== undefined && proofEndsAtMs(route, proof) > wallClockMs) return proof;
  }
  return undefined;
}
