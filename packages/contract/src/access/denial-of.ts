import type { DeviceRoutes, Route } from '../relay-control.ts';
import { closedBecause, type ClosedBecause } from './closed-because.ts';
import { isAllowListed, isVerifiedAddress } from './known-addresses.ts';
import { proofEndsAtMs, type ShownProof } from './proof-end.ts';

/** The fields of a mapping and its device that decide access. */
export type AccessRules = {
  route: Pick<
    Route,
    | 'enabled'
    | 'isOverPlanLimit'
    | 'policy'
    | 'opensAtMs'
    | 'closesAtMs'
    | 'hours'
    | 'verifiedIps'
    | 'extendedVerifications'
    | 'revokedVerifications'
  >;
  owner: { device: Pick<DeviceRoutes, 'enabled' | 'allowList' | 'planEndsAtMs'> };
};

/** The visitor of a request. Getters are read only if the decision depends on them. */
export type Visitor = {
  /** Undefined: the address gives no access. */
  readonly address: string | undefined;
  readonly proof: ShownProof | undefined;
  /**
   * The request was caused by a page of another site. Its proof and address do not count, because the visitor may not
   * know of it.
   */
  readonly isFromOtherSite?: boolean;
  /** The request is a CORS preflight for a page of the same owner, and carries and shows nothing else. */
  readonly isOwnersPreflight?: boolean;
  /** A program of the owner that has proven it in its own way. */
  readonly isOwner?: boolean;
  /** What that program calls itself, for the visitor log. */
  readonly programName?: string;
};

export type Denial = 'needs-verification' | 'other-site' | ClosedBecause;

/**
 * Decides whether a visitor may come in at this moment (wall clock): undefined, or the denial. Server and relay use it
 * for every protocol. It depends on its arguments alone.
 */
export function denialOf({ route, owner }: AccessRules, visitor: Visitor, wallClockMs: number): Denial | undefined {
  const { enabled: mappingEnabled, isOverPlanLimit = false, policy } = route;
  const { enabled: deviceEnabled, allowList, planEndsAtMs } = owner.device;
  const openness = { mappingEnabled, deviceEnabled, planEndsAtMs, isOverPlanLimit, policy, times: route };
  const closed = closedBecause(openness, wallClockMs);
  if (closed !== undefined) return closed;
  // The switch lists every policy, so that a new one does not compile without a decision.
  switch (policy) {
    case 'public':
      return undefined;
    case 'closed':
      return 'closed-by-owner';
    case 'owner':
    case 'password': {
      if (visitor.isOwner === true) return undefined;
      // Visitors with and without a valid proof get the same answer, so that the other site cannot learn which it is.
      if (visitor.isFromOtherSite === true) return 'other-site';
      if (visitor.isOwnersPreflight === true) return undefined;
      const { proof, address } = visitor;
      if (proof !== undefined && proofEndsAtMs(route, proof) > wallClockMs) return undefined;
      if (address === undefined) return 'needs-verification';
      const isKnown = isAllowListed(allowList, address) || isVerifiedAddress(route, address, wallClockMs);
      return isKnown ? undefined : 'needs-verification';
    }
  }
}

/** Whether time alone can end the access of a visitor, so that it must be checked again. */
export function canRunOut({ route, owner }: AccessRules): boolean {
  const { policy, opensAtMs, closesAtMs, hours } = route;
  if (owner.device.planEndsAtMs !== undefined) return true;
  return policy !== 'public' || opensAtMs !== null || closesAtMs !== null || hours !== null;
}
