import { proofEndsAtMs, type Route } from '@tongtu/contract';
import { cookieValues } from '../codecs/http/cookies.ts';
import type { Field } from '../codecs/http/fields.ts';
import type { VisitorFacts } from '../codecs/http/forwarded.ts';
import { verifyVisitorProof, visitorCookieName } from './visitor-cookie.ts';
import type { VisitorProof } from './visitor-proof.ts';

/**
 * A browser has one such cookie for each host. Over http pages of other tenants may set more of them for longer paths,
 * and browsers send those before the relay's own, which has the path `/`.
 */
const MAX_PROOFS = 16;

/** The valid proof for this host and mapping among a request's cookies. */
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
