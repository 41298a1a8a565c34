import type { Route } from '@tongtu/contract';
import { cookieValues } from '../http1/cookies.ts';
import type { Field } from '../http1/fields.ts';
import { verifyVisitorProof, VISITOR_COOKIE } from './visitor-cookie.ts';

/** A browser has one such cookie per host; more of them can only be a try. */
const MAX_PROOFS = 4;

/** Whether a request's cookies prove that its sender was verified for this host and mapping. */
export function isVerifiedVisitor(
  gateKey: Buffer | undefined,
  route: Route,
  fields: readonly Field[],
  nowMs: number,
): boolean {
  if (gateKey === undefined) return false;
  const expected = { host: route.host, mappingId: route.mappingId, nowMs };
  return cookieValues(fields, VISITOR_COOKIE)
    .slice(0, MAX_PROOFS)
    .some((value) => verifyVisitorProof(gateKey, value, expected) !== undefined);
}
