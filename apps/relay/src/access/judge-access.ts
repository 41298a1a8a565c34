import { type Denial, denialOf, type Visitor } from '@tongtu/contract';
import type { RouteEntry } from '../routes/route-entry.ts';
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
export type Grant = Visitor & { readonly address: string };

export type Judgement = { ok: true; grant: Grant } | { ok: false; denial: Denial };

/** Lets a visitor of any protocol through or not, by `denialOf`, which judges the grant again later. */
export function judgeAccess(entry: RouteEntry, facts: AccessFacts, wallClockMs: number): Judgement {
  const grant = new RequestGrant(facts);
  const denial = denialOf(entry, grant, wallClockMs);
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
