import type { Route } from '@tongtu/contract';
import type { VisitorProof } from './visitor-proof.ts';

type Changes = { revoked: ReadonlySet<number>; extended: ReadonlyMap<number, number> };

// What the server told of a device is never changed in place, so each picture of it is read once.
const changesOf = new WeakMap<Route, Changes>();

/** Until when a proof with a right signature counts: as its cookie says, or longer, or, when it was ended, not at all. */
export function proofEndsAtMs(route: Route, { verificationId, expiresAtMs }: VisitorProof): number {
  if (route.revokedVerifications.length === 0 && route.extendedVerifications.length === 0) return expiresAtMs;
  let changes = changesOf.get(route);
  if (changes === undefined) {
    changes = readChanges(route);
    changesOf.set(route, changes);
  }
  if (changes.revoked.has(verificationId)) return 0;
  return Math.max(expiresAtMs, changes.extended.get(verificationId) ?? 0);
}

function readChanges({ revokedVerifications, extendedVerifications }: Route): Changes {
  return {
    revoked: new Set(revokedVerifications),
    extended: new Map(extendedVerifications.map((extended) => [extended.verificationId, extended.expiresAtMs])),
  };
}
