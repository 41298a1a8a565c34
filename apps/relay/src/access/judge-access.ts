import { type Denial, denialOf, type Visitor } from '@tongtu/contract';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { VisitorProof } from './visitor-proof.ts';

/** The facts about a visitor. Each function is called at most once, and possibly later. */
export type AccessFacts = {
  address: string;
  /** Without cookies: `() => undefined`. */
  proof: () => VisitorProof | undefined;
  /** Whether a page of another site made the request. Absent for protocols other than HTTP. */
  isFromOtherSite?: () => boolean;
};

/** The visitor's grounds, stored to check them again after the request itself has ended. */
export type Grant = Visitor & {
  readonly address: string;
  /** The proof if it was needed; unlike `proof` it reads nothing. */
  readonly knownProof?: VisitorProof | undefined;
};

export type Judgement = { ok: true; grant: Grant } | { ok: false; denial: Denial };

/** Lets a visitor of any protocol through or not, by `denialOf`, which judges the grant again later. */
export function judgeAccess(entry: RouteEntry, facts: AccessFacts, wallClockMs: number): Judgement {
  const grant = new RequestGrant(facts);
  const denial = denialOf(entry, grant, wallClockMs);
  return denial === undefined ? { ok: true, grant } : { ok: false, denial };
}

/** Reads the proof when it is first needed: for a public mapping, when it becomes one for verified visitors. */
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

  get knownProof(): VisitorProof | undefined {
    return this.#proof;
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
