import type { Route } from '../relay-control.ts';

/** The content of a visitor's cookie with a valid signature. */
export type ShownProof = Readonly<{ verificationId: number; expiresAtMs: number }>;

type Verifications = Pick<Route, 'extendedVerifications' | 'revokedVerifications'>;
type Changes = { revoked: ReadonlySet<number>; extended: ReadonlyMap<number, number> };

// Routes are immutable, so each is parsed once and cached.
const changesOf = new WeakMap<Verifications, Changes>();

/** When a proof with a valid signature expires: as its cookie says, later if it was extended, 0 if it was revoked. */
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
