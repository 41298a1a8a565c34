import { closedBecause, type ClosedBecause, type Route } from '@tongtu/contract';
import type { RouteEntry } from '../routes/route-entry.ts';
import { isAllowListed, isVerifiedAddress } from './known-addresses.ts';
import { proofEndsAtMs } from './proof-end.ts';
import type { VisitorProof } from './visitor-proof.ts';

/** What is known of a visitor. What is a function is asked for at most once, maybe later. */
export type AccessFacts = {
  address: string;
  /** Without cookies: `() => undefined`. */
  proof: () => VisitorProof | undefined;
  /** Whether a page of another site sent the visitor's browser. Absent where no browser says so. */
  isFromOtherSite?: () => boolean;
};

/** On what grounds a visitor was let in: enough to judge again later, when the request itself is long gone. */
export type Grant = {
  readonly address: string;
  readonly proof: VisitorProof | undefined;
  /** Then nothing of it counts: the visitor knows nothing of what is done with it. */
  readonly isFromOtherSite?: boolean;
};

export type Denial = 'needs-verification' | 'other-site' | ClosedBecause;
export type Judgement = { ok: true; grant: Grant } | { ok: false; denial: Denial };

/** The one place where a visitor of any protocol is let through or not. Decides from memory. */
export function judgeAccess(entry: RouteEntry, facts: AccessFacts, nowMs: number): Judgement {
  const closed = closedBy(entry, nowMs);
  if (closed !== undefined) return { ok: false, denial: closed };
  const grant = new RequestGrant(facts);
  const denial = deniedByPolicy(entry, grant, nowMs);
  return denial === undefined ? { ok: true, grant } : { ok: false, denial };
}

/** Looks for what counts when it first matters: for a public mapping that is when it stops being one. */
class RequestGrant implements Grant {
  readonly #facts: AccessFacts;
  #proof: VisitorProof | undefined;
  #hasLooked = false;
  #isFromOtherSite: boolean | undefined;

  constructor(facts: AccessFacts) {
    this.#facts = facts;
  }

  get address(): string {
    return this.#facts.address;
  }

  get proof(): VisitorProof | undefined {
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      this.#proof = this.#facts.proof();
    }
    return this.#proof;
  }

  get isFromOtherSite(): boolean {
    return (this.#isFromOtherSite ??= this.#facts.isFromOtherSite?.() ?? false);
  }
}

/** Judges a grant again: what would turn its visitor away now, undefined when nothing does. */
export function denialOf(entry: RouteEntry, grant: Grant, nowMs: number): Denial | undefined {
  return closedBy(entry, nowMs) ?? deniedByPolicy(entry, grant, nowMs);
}

/** Whether a grant may end by the clock alone, so that it is worth looking again while nothing else changes. */
export function canRunOut({ policy, opensAtMs, closesAtMs, hours }: Route): boolean {
  return policy !== 'public' || opensAtMs !== null || closesAtMs !== null || hours !== null;
}

function closedBy({ route, owner }: RouteEntry, nowMs: number): ClosedBecause | undefined {
  const { enabled: mappingEnabled, policy } = route;
  return closedBecause({ mappingEnabled, deviceEnabled: owner.device.enabled, policy, times: route }, nowMs);
}

/** Every policy has its line here. */
function deniedByPolicy({ route, owner }: RouteEntry, grant: Grant, nowMs: number): Denial | undefined {
  switch (route.policy) {
    case 'public':
      return undefined;
    case 'closed':
      return 'closed-by-owner';
    case 'owner':
    case 'password': {
      // Told alike whether the visitor is known or not.
      if (grant.isFromOtherSite === true) return 'other-site';
      const isKnown =
        isProven(route, grant.proof, nowMs) ||
        isAllowListed(owner.device, grant.address) ||
        isVerifiedAddress(route, grant.address, nowMs);
      return isKnown ? undefined : 'needs-verification';
    }
  }
}

function isProven(route: Route, proof: VisitorProof | undefined, nowMs: number): boolean {
  return proof !== undefined && proofEndsAtMs(route, proof) > nowMs;
}
