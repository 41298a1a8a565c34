import {
  type ApiScope,
  AppError,
  fieldError,
  type FieldErrors,
  fieldMessages,
  mappingConflicts,
  type MappingPatch,
  sharedMappingScope,
} from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUser } from '../../db/lock-user.ts';
import { missingScope } from '../../http/field-scopes.ts';
import { assertRoomForDomain, replaceDomainCheck } from '../domains/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { refusingTakenAddress } from './address-taken.ts';
import { claimingDomain } from './claim-domain.ts';
import { getOwnMapping, getOwnMappingForChange } from './get-mapping.ts';
import { settableColumns, settableFields } from './mapping-columns.ts';
import type { MappingDeps, SavedMapping } from './mapping-deps.ts';
import { updateMapping, type MappingRow } from './mapping-store.ts';
import { assertMayHave } from './public-address.ts';
import { claimPrefix, releasePrefixes } from './released-prefix.ts';

type Changes = Parameters<typeof updateMapping>[2];
/** `scopes`: what the caller's API token is allowed; undefined for a browser, which may do anything. */
type OwnMapping = { id: number; userId: number; scopes: readonly ApiScope[] | undefined };

/**
 * Changes what is given of one's own mapping; a target alone brings its protocol along.
 * Throws mapping.not-found, session.scope, request.invalid where the whole would contradict itself, and what createMapping
 * throws of addresses and targets.
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
  return await claimingDomain(deps, claim, async (prepare) => {
    return await update(deps, mapping, { patch, changes, prepare });
  });
}

/** Before the transaction, and for one's own mapping alone: it takes its time on purpose. */
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
    // Before the mapping, as whoever deletes the account.
    await lockUser(tx, mapping.userId);
    const before = await getOwnMappingForChange(tx, { mappingId: mapping.id, userId: mapping.userId });
    assertMaySend(mapping, before, patch);
    if (Object.keys(changes).length === 0) return { row: before, change: undefined };
    assertFits(before, changes);
    // The welcome mapping keeps its reserved name when a form sends every field back.
    const address = changedAddress(before, changes);
    await assertMayHave(tx, deps, address);
    if (givesPrefixUp(before, changes)) await releasePrefixes(tx, { mappingId: mapping.id });
    const isEnded = endsPassword(before, changes);
    await refusingTakenAddress(() => updateMapping(tx, mapping.id, changes, { endsPassword: isEnded }));
    if (address.customDomain !== null) await assertRoomForDomain(tx, mapping.userId);
    if (changes.customDomain !== undefined && changes.customDomain !== before.customDomain)
      await replaceDomainCheck(tx, mapping.id, changes.customDomain);
    if (address.prefix !== null) await claimPrefix(tx, mapping);
    if (isEnded) await deps.endPasswordProofs(tx, mapping.id);
    const change = await announceDeviceChange(tx, { deviceId: before.deviceId, userId: mapping.userId });
    return { row: { ...before, ...changes }, change };
  });
}

/** `sharedMappingScope` of the contract. */
function assertMaySend({ scopes }: OwnMapping, { policy }: MappingRow, patch: MappingPatch): void {
  const { scope, free } = sharedMappingScope;
  if (scopes === undefined || scopes.includes(scope) || policy === 'owner') return;
  const names = Object.keys(patch).filter((name) => !free.some((other) => other === name));
  if (names.length > 0) throw missingScope(scope, names);
}

/** Another password, or a policy that asks for none: what the old one has let in ends. */
function endsPassword(before: MappingRow, { policy = before.policy, passwordHash }: Changes): boolean {
  return passwordHash !== undefined || (before.policy === 'password' && policy !== 'password');
}

function givesPrefixUp(before: MappingRow, { prefix = before.prefix }: Changes): boolean {
  return before.prefix !== null && prefix !== before.prefix;
}

function changedAddress(before: MappingRow, { prefix, customDomain, port }: Changes) {
  return {
    prefix: prefix === before.prefix ? null : (prefix ?? null),
    customDomain: customDomain === before.customDomain ? null : (customDomain ?? null),
    port: port === before.port ? null : (port ?? null),
  };
}

function assertFits(before: MappingRow, changes: Changes): void {
  const after = { ...before, ...changes };
  if (isWeb(before) !== isWeb(after)) throw fieldError('kind', 'mapping.kind-fixed');
  const conflicts = mappingConflicts({ ...settableFields(after), password: after.passwordHash ?? undefined });
  if (conflicts.length === 0) return;
  const fields: FieldErrors = {};
  for (const { path, message } of conflicts) (fields[path] ??= []).push(fieldMessages[message]);
  throw new AppError('request.invalid', { fields });
}

function isWeb({ kind }: Pick<MappingRow, 'kind'>): boolean {
  return kind === 'http' || kind === 'https';
}
