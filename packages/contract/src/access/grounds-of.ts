import { canonicalAddress } from '@tongtu/base';
import type { DeviceRoutes, Route } from '../relay-control.ts';
import { isAllowListed } from './known-addresses.ts';
import type { Visitor } from './denial-of.ts';
import { proofEndsAtMs } from './proof-end.ts';

/** Why a visitor was let in. */
export type VisitGrounds = {
  grounds: 'owner' | 'public' | 'allow_list' | 'verified' | 'none';
  /** The verification, with `verified`. */
  verificationId?: number;
  /** Of a program of the owner, with `owner`. */
  whoName?: string;
};

type GroundsRules = {
  route: Pick<Route, 'policy' | 'verifiedIps' | 'extendedVerifications' | 'revokedVerifications'>;
  owner: { device: Pick<DeviceRoutes, 'allowList'> };
};

/**
 * What `denialOf` let a visitor in for, in the same order, but a program of the owner is always named. Only for visitors
 * without a denial.
 */
export function groundsOf({ route, owner }: GroundsRules, visitor: Visitor, wallClockMs: number): VisitGrounds {
  if (visitor.isOwner === true) return { grounds: 'owner', whoName: visitor.programName ?? '' };
  if (route.policy === 'public') return { grounds: 'public' };
  const { proof, address } = visitor;
  if (proof !== undefined && proofEndsAtMs(route, proof) > wallClockMs)
    return { grounds: 'verified', verificationId: proof.verificationId };
  if (address === undefined) return { grounds: 'none' };
  if (isAllowListed(owner.device.allowList, address)) return { grounds: 'allow_list' };
  const canonical = canonicalAddress(address);
  const verified = route.verifiedIps.find(
    ({ ip, expiresAtMs, verificationId }) =>
      expiresAtMs > wallClockMs &&
      canonicalAddress(ip) === canonical &&
      !route.revokedVerifications.includes(verificationId),
  );
  return verified ? { grounds: 'verified', verificationId: verified.verificationId } : { grounds: 'none' };
}
