import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/driver.ts';
import { assertConfirmed, type Caller } from '../../http/session.ts';
import type { MappingRow, MappingValues, updateMapping } from './mapping-store.ts';
import { hasAllowList, haveProtection, mappingHasGuests } from './widening-store.ts';

type Changes = Parameters<typeof updateMapping>[2];
type Confirmation = Pick<Caller, 'isConfirmed' | 'scopes'>;

/** What changes nothing for visitors, or only how long they may wait. */
const harmless: readonly (keyof Changes)[] = [
  ...(['remark', 'pinned', 'visitLogDays', 'frpcProxy'] as const),
  ...(['answerTimeoutS', 'silenceTimeoutS'] as const),
];

/** A new mapping that others may visit needs a confirmation. Throws session.confirm-required. */
export async function assertMayAdd(
  tx: Db,
  caller: Confirmation & { deviceId: number },
  { policy, passwordHash }: MappingValues,
): Promise<void> {
  if (caller.isConfirmed) return;
  if (isForOthers(policy) || passwordHash !== null) assertConfirmed(caller);
  if (policy === 'owner' && (await hasAllowList(tx, caller.deviceId))) assertConfirmed(caller);
}

/** A deletion needs a confirmation where a protection is deleted, too. Throws session.confirm-required. */
export async function assertMayRemove(tx: Db, caller: Confirmation, mappingId: number): Promise<void> {
  if (!caller.isConfirmed && (await haveProtection(tx, { mappingId }))) assertConfirmed(caller);
}

/**
 * A change needs a confirmation where others may visit the mapping afterwards: it may lead them to another service, or let
 * them in again. So does a new password, less TLS and a shorter visit log. What only closes never does. Throws
 * session.confirm-required.
 */
export async function assertMayWiden(
  tx: Db,
  caller: Confirmation,
  before: MappingRow,
  changes: Changes,
): Promise<void> {
  if (caller.isConfirmed) return;
  if (await isWider(tx, before, changes)) assertConfirmed(caller);
}

async function isWider(tx: Db, before: MappingRow, changes: Changes): Promise<boolean> {
  const after = { ...before, ...changes };
  if (changes.passwordHash !== undefined || after.visitLogDays < before.visitLogDays) return true;
  // Another mapping could have the address that this one leaves.
  if (before.verifyTls && (!after.verifyTls || isElsewhere(before, after))) return true;
  if (before.verifyTls && after.tlsName !== before.tlsName) return true;
  if (!after.enabled || after.policy === 'closed') return false;
  const names = Object.keys(changes) as (keyof Changes)[]; // the keys of the object
  const isHarmless = (name: keyof Changes) => harmless.includes(name) || isShorter(before, after, name);
  const changed = names.filter((name) => !isHarmless(name) && !isDeepStrictEqual(before[name], changes[name]));
  if (isForOthers(after.policy)) return changed.length > 0;
  const isNarrowed = isForOthers(before.policy); // to the owner's alone
  const others = changed.filter((name) => name !== 'policy' || !isNarrowed);
  return others.length > 0 && (await mappingHasGuests(tx, before.id));
}

function isElsewhere(before: MappingRow, after: MappingRow): boolean {
  return before.prefix !== after.prefix || before.customDomain !== after.customDomain;
}

/** Whether it opens later or closes earlier. */
function isShorter(before: MappingRow, after: MappingRow, name: keyof Changes): boolean {
  if (name === 'opensAt') return after.opensAt !== null && (before.opensAt ?? after.opensAt) <= after.opensAt;
  return name === 'closesAt' && after.closesAt !== null && (before.closesAt ?? after.closesAt) >= after.closesAt;
}

function isForOthers(policy: MappingRow['policy']): boolean {
  return policy === 'password' || policy === 'public';
}
