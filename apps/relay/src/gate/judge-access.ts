import { type Route, timeDenial, type TimeDenial } from '@tongtu/contract';
import type { RouteEntry } from '../routes/route-entry.ts';
import { isAllowListed, isVerifiedAddress } from './known-addresses.ts';
import { proofEndsAtMs } from './proof-end.ts';
import type { VisitorProof } from './visitor-proof.ts';

/** What is known of a visitor; `proof` is asked for at most once, maybe later. Without cookies: `() => undefined`. */
export type AccessFacts = { address: string; proof: () => VisitorProof | undefined };

/** On what grounds a visitor was let in: enough to judge again later, when the request itself is long gone. */
export type Grant = { readonly address: string; readonly proof: VisitorProof | undefined };

export type Denial = 'needs-verification' | 'closed-by-owner' | 'device-disabled' | 'mapping-disabled' | TimeDenial;
export type Judgement = { ok: true; grant: Grant } | { ok: false; denial: Denial };

/** The one place where a visitor of any protocol is let through or not. Decides from memory. */
export function judgeAccess(entry: RouteEntry, facts: AccessFacts, nowMs: number): Judgement {
  const closed = closedBy(entry, nowMs);
  if (closed !== undefined) return { ok: false, denial: closed };
  const grant = new RequestGrant(facts);
  const denial = deniedByPolicy(entry, grant, nowMs);
  return denial === undefined ? { ok: true, grant } : { ok: false, denial };
}

/** Looks for the proof when it first matters: for a public mapping that is when it stops being one. */
class RequestGrant implements Grant {
  readonly #facts: AccessFacts;
  #proof: VisitorProof | undefined;
  #hasLooked = false;

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
}

/** Judges a grant again: what would turn its visitor away now, undefined when nothing does. */
export function denialOf(entry: RouteEntry, grant: Grant, nowMs: number): Denial | undefined {
  return closedBy(entry, nowMs) ?? deniedByPolicy(entry, grant, nowMs);
}

/** Whether a grant may end by the clock alone, so that it is worth looking again while nothing else changes. */
export function canRunOut({ policy, opensAtMs, closesAtMs, hours }: Route): boolean {
  return policy !== 'public' || opensAtMs !== null || closesAtMs !== null || hours !== null;
}

function closedBy({ route, owner }: RouteEntry, nowMs: number): Denial | undefined {
  if (!owner.device.enabled) return 'device-disabled';
  if (!route.enabled) return 'mapping-disabled';
  return timeDenial(route, nowMs);
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
