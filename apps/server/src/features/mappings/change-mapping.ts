import {
  AppError,
  fieldError,
  type FieldErrors,
  fieldMessages,
  mappingConflicts,
  type MappingPatch,
  sharedMappingScope,
} from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { missingScope } from '../../http/field-scopes.ts';
import type { Caller } from '../../http/session.ts';
import { assertRoomForDomain, replaceDomainCheck } from '../domains/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { assertHasPlan } from '../plans/index.ts';
import { translateTakenAddress } from './address/address-taken.ts';
import { withDomainClaims } from './address/claim-domain.ts';
import { isFrpcDevice } from './frpc-proxies/frpc-device-store.ts';
import { getOwnMapping, getOwnMappingForChange } from './get-mapping.ts';
import { settableColumns, settableFields } from './mapping-columns.ts';
import type { MappingDeps, SavedMapping } from './mapping-deps.ts';
import { updateMapping, type MappingRow } from './mapping-store.ts';
import { assertMayWiden } from './assert-may-widen.ts';
import { assertAddressAllowed } from './address/public-address.ts';
import { claimPrefix, releasePrefixes } from './address/released-prefix.ts';
import { trimVisitLog } from './visit-log-store.ts';

type Changes = Parameters<typeof updateMapping>[2];
type OwnMapping = Caller & { id: number };

/**
 * Changes the given fields of the caller's mapping. A target without a kind also sets the kind.
 * Throws mapping.not-found, session.scope, session.confirm-required, request.invalid if the result would be contradictory, plan.expired, and the errors of
 * createMapping for addresses and targets.
 */
export async function changeMapping(
  deps: MappingDeps,
  mapping: OwnMapping,
  patch: MappingPatch,
): Promise<SavedMapping> {
  const open = settableColumns(patch);
  const changes =
    patch.password === undefined ? open : { ...open, passwordHash: await hash(deps, mapping, patch.password) };
  const claim = { userId: mapping.userId, customDomain: changes.customDomain, mappingId: mapping.id };
  return await withDomainClaims(deps, [claim], async (prepare) => {
    return await update(deps, mapping, { patch, changes, prepare });
  });
}

/** Hashes the password outside the transaction, and only for the caller's own mapping, because it is slow on purpose. */
async function hash(deps: MappingDeps, mapping: { id: number; userId: number }, password: string): Promise<string> {
  await getOwnMapping(deps.db, { mappingId: mapping.id, userId: mapping.userId });
  return await deps.hashPassword(mapping.userId, password);
}

async function update(
  deps: MappingDeps,
  mapping: OwnMapping,
  { patch, changes, prepare }: { patch: MappingPatch; changes: Changes; prepare: (tx: Db) => Promise<void> },
): Promise<SavedMapping> {
  return await deps.db.transaction().execute(async (tx) => {
    await prepare(tx);
    // Before the mapping, in the same order as the deletion of the account.
    await lockUserForNoKeyUpdate(tx, mapping.userId);
    const { row, isChanged } = await changeInTransaction(tx, deps, mapping, { patch, changes });
    const device = { deviceId: row.deviceId, userId: mapping.userId };
    return { row, change: isChanged ? await announceDeviceChange(tx, device) : undefined };
  });
}

/**
 * Like changeMapping, in a transaction of the caller, who has locked the account and notifies the relays. `isByFrpc`: for
 * the frpc.toml that manages the mapping.
 */
export async function changeInTransaction(
  tx: Db,
  deps: MappingDeps,
  mapping: OwnMapping,
  { patch, changes, isByFrpc = false }: { patch: MappingPatch; changes: Changes; isByFrpc?: boolean },
): Promise<{ row: MappingRow; isChanged: boolean }> {
  const before = await getOwnMappingForChange(tx, { mappingId: mapping.id, userId: mapping.userId });
  assertMayChange(mapping, before, patch);
  if (Object.keys(changes).length === 0) return { row: before, isChanged: false };
  if (!isOnlySwitchedOff(changes)) await assertHasPlan(tx, before.deviceId);
  if (!isByFrpc) await assertFitsFrpc(tx, before, changes);
  assertConsistent(before, changes);
  if (!isByFrpc) await assertMayWiden(tx, mapping, before, changes);
  // An unchanged address is not checked: a form also sends the welcome mapping's reserved name.
  const address = changedAddress(before, changes);
  await assertAddressAllowed(tx, deps, address);
  if (releasesPrefix(before, changes)) await releasePrefixes(tx, { mappingId: mapping.id });
  const isPasswordEnded = endsPassword(before, changes);
  await translateTakenAddress(() => updateMapping(tx, mapping.id, changes, { endsPassword: isPasswordEnded }));
  if (address.customDomain !== null) await assertRoomForDomain(tx, mapping.userId);
  if (changes.customDomain !== undefined && changes.customDomain !== before.customDomain)
    await replaceDomainCheck(tx, mapping.id, changes.customDomain);
  if (address.prefix !== null) await claimPrefix(tx, mapping);
  if (isPasswordEnded) await deps.endPasswordProofs(tx, mapping.id);
  const { visitLogDays: days = before.visitLogDays } = changes;
  if (days < before.visitLogDays) await trimVisitLog(tx, { mappingId: mapping.id, days });
  return { row: { ...before, ...changes }, isChanged: true };
}

/** Enforces `sharedMappingScope` of the contract. */
function assertMayChange({ scopes }: OwnMapping, { policy }: MappingRow, patch: MappingPatch): void {
  const { scope, free } = sharedMappingScope;
  if (scopes === undefined || scopes.includes(scope) || policy === 'owner') return;
  const names = Object.keys(patch).filter((name) => !free.some((other) => other === name));
  if (names.length > 0) throw missingScope(scope, names);
}

/** What the frpc.toml of a device decides. */
const decidedByFrpc = [
  ...(['kind', 'prefix', 'customDomain', 'port', 'targetHost', 'targetPort'] as const),
  ...(['tlsPassthrough', 'hostHeader', 'hostName'] as const),
] satisfies (keyof Changes)[];

async function assertFitsFrpc(tx: Db, before: MappingRow, changes: Changes): Promise<void> {
  const isChanged = (name: (typeof decidedByFrpc)[number]) =>
    changes[name] !== undefined && changes[name] !== before[name];
  if (before.frpcProxy !== null && decidedByFrpc.some(isChanged)) throw new AppError('mapping.managed-by-frpc');
  if (changes.kind === 'udp' && isChanged('kind') && (await isFrpcDevice(tx, before.deviceId)))
    throw fieldError('kind', 'mapping.frpc-no-udp');
}

/** Whether proofs of the old password end: there is another password, or a policy without one. */
function endsPassword(before: MappingRow, { policy = before.policy, passwordHash }: Changes): boolean {
  return passwordHash !== undefined || (before.policy === 'password' && policy !== 'password');
}

/** Also without a plan, a mapping can be switched off and pinned. */
function isOnlySwitchedOff({ enabled, pinned: _pinned, ...others }: Changes): boolean {
  return enabled !== true && Object.keys(others).length === 0;
}

function releasesPrefix(before: MappingRow, { prefix = before.prefix }: Changes): boolean {
  return before.prefix !== null && prefix !== before.prefix;
}

function changedAddress(before: MappingRow, { prefix, customDomain, port }: Changes) {
  return {
    prefix: prefix === before.prefix ? null : (prefix ?? null),
    customDomain: customDomain === before.customDomain ? null : (customDomain ?? null),
    port: port === before.port ? null : (port ?? null),
  };
}

function assertConsistent(before: MappingRow, changes: Changes): void {
  const after = { ...before, ...changes };
  if (isWeb(before) !== isWeb(after)) throw fieldError('kind', 'mapping.kind-fixed');
  assertMappingConsistent(after);
}

/** Throws request.invalid for a mapping that breaks a rule between its fields. */
export function assertMappingConsistent(
  mapping: Parameters<typeof settableFields>[0] & { passwordHash: string | null },
): void {
  const conflicts = mappingConflicts({ ...settableFields(mapping), password: mapping.passwordHash ?? undefined });
  if (conflicts.length === 0) return;
  const fields: FieldErrors = {};
  for (const { path, message } of conflicts) (fields[path] ??= []).push(fieldMessages[message]);
  throw new AppError('request.invalid', { fields });
}

function isWeb({ kind }: Pick<MappingRow, 'kind'>): boolean {
  return kind === 'http' || kind === 'https';
}
