import { closedBecause, type ClosedBecause } from '../closed-because.ts';
import type { DeviceRoutes, Route } from '../relay-control.ts';
import { isAllowListed, isVerifiedAddress } from './known-addresses.ts';
import { proofEndsAtMs, type ShownProof } from './proof-end.ts';

/** What of a mapping and its device decides who may come in. */
export type AccessRules = {
  route: Pick<
    Route,
    | 'enabled'
    | 'policy'
    | 'opensAtMs'
    | 'closesAtMs'
    | 'hours'
    | 'verifiedIps'
    | 'extendedVerifications'
    | 'revokedVerifications'
  >;
  owner: { device: Pick<DeviceRoutes, 'enabled' | 'allowList'> };
};

/** What is known of a visitor. A getter is read only where it matters. */
export type Visitor = {
  /** Undefined: it is not to count. */
  readonly address: string | undefined;
  readonly proof: ShownProof | undefined;
  /** Then nothing of it counts: the visitor knows nothing of what is done with it. */
  readonly isFromOtherSite?: boolean;
};

export type Denial = 'needs-verification' | 'other-site' | ClosedBecause;

/**
 * Whether this visitor may come in at this moment (wall clock): undefined, or what turns them away. It is the one decision
 * of server and relay, for every protocol, and it reads nothing but what it is given.
 */
export function denialOf({ route, owner }: AccessRules, visitor: Visitor, wallClockMs: number): Denial | undefined {
  const { enabled: mappingEnabled, policy } = route;
  const { enabled: deviceEnabled, allowList } = owner.device;
  const closed = closedBecause({ mappingEnabled, deviceEnabled, policy, times: route }, wallClockMs);
  if (closed !== undefined) return closed;
  // Every policy has its line here.
  switch (policy) {
    case 'public':
      return undefined;
    case 'closed':
      return 'closed-by-owner';
    case 'owner':
    case 'password': {
      // The same answer for known and unknown visitors.
      if (visitor.isFromOtherSite === true) return 'other-site';
      const { proof, address } = visitor;
      if (proof !== undefined && proofEndsAtMs(route, proof) > wallClockMs) return undefined;
      if (address === undefined) return 'needs-verification';
      const isKnown = isAllowListed(allowList, address) || isVerifiedAddress(route, address, wallClockMs);
      return isKnown ? undefined : 'needs-verification';
    }
  }
}

/** Whether a visitor who may come in may lose that by the clock alone, so that it is worth asking again. */
export function canRunOut({ policy, opensAtMs, closesAtMs, hours }: AccessRules['route']): boolean {
  return policy !== 'public' || opensAtMs !== null || closesAtMs !== null || hours !== null;
}
