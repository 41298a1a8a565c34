import type { Route } from '../relay-control.ts';

/** What a visitor's cookie proves, once its signature was checked. */
export type ShownProof = Readonly<{ verificationId: number; expiresAtMs: number }>;

type Verifications = Pick<Route, 'extendedVerifications' | 'revokedVerifications'>;
type Changes = { revoked: ReadonlySet<number>; extended: ReadonlyMap<number, number> };

// A route is never changed in place, so each is read once.
const changesOf = new WeakMap<Verifications, Changes>();

/** Until when a proof with a right signature counts: as its cookie says, or longer, or, when it was ended, not at all. */
export function proofEndsAtMs(route: Verifications, { verificationId, expiresAtMs }: ShownProof): number {
  if (route.revokedVerifications.length === 0 && route.extendedVerifications.length === 0) return expiresAtMs;
  let changes = changesOf.get(route);
  if (changes === undefined) {
    changes = readChanges(route);
    changesOf.set(route, changes);
  }
  if (changes.revoked.has(verificationId)) return 0;
  return Math.max(expiresAtMs, changes.extended.get(verificationId) ?? 0);
}

function readChanges({ revokedVerifications, extendedVerifications }: Verifications): Changes {
  return {
    revoked: new Set(revokedVerifications),
    extended: new Map(extendedVerifications.map((extended) => [extended.verificationId, extended.expiresAtMs])),
  };
}
