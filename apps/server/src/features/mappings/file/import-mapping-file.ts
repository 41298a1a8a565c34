import { isDeepStrictEqual } from 'node:util';
import { AppError, type MappingImportResult, type MappingPatch } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import type { Caller } from '../../../http/session.ts';
import { announceDeviceChange, announceVerifications, type DeviceChange } from '../../live/index.ts';
import { assertMayAdd, assertMayRemove } from '../assert-may-widen.ts';
import { assertMayClaim } from '../address/claim-domain.ts';
import { assertMappingConsistent, changeInTransaction } from '../change-mapping.ts';
import { insertInTransaction } from '../create-mapping.ts';
import { removeInTransaction } from '../deletion/remove-mapping.ts';
import { settableColumns, settableFields } from '../mapping-columns.ts';
import type { MappingDeps } from '../mapping-deps.ts';
import { findDeviceForNoKeyUpdate, isOwnDevice, listMappingsOfDevices, type MappingRow } from '../mapping-store.ts';
import { errorAtLine } from './file-errors.ts';
import type { MappingFileReader } from './mapping-file-reader.ts';
import { addressOf, type FileEntry } from './read-mapping-file.ts';
import { writeMappingFile } from './write-mapping-file.ts';

type Owner = { deviceId: number; userId: number };
type Importer = Owner & Caller;
type Options = { yaml: string; isDryRun: boolean; deletesOthers: boolean };
type Imported = { result: MappingImportResult; change: DeviceChange | undefined };

/** The user's device's mappings as a file. Throws device.not-found. */
export async function exportMappingFile(db: Db, { deviceId, userId }: Owner): Promise<string> {
  return await db.transaction().execute(async (tx) => {
    if ((await findDeviceForNoKeyUpdate(tx, { deviceId, userId })) === undefined)
      throw new AppError('device.not-found');
    return writeMappingFile(await listOwnMappings(tx, deviceId));
  });
}

/**
 * Gives the device the mappings of a file, all of them or none. A dry run does the same and takes it back. Throws
 * device.not-found, session.confirm-required, mapping-file.invalid, which names the line, request.too-many and
 * server.unavailable.
 */
export async function importMappingFile(
  deps: MappingDeps & { fileReader: MappingFileReader },
  owner: Importer,
  options: Options,
): Promise<Imported> {
  // Only for the owner of a device, because reading a file takes time.
  if (!(await isOwnDevice(deps.db, owner))) throw new AppError('device.not-found');
  const entries = await deps.fileReader.read(owner.userId, options.yaml);
  await assertMayClaimAll(deps, owner, entries);
  const imported: Imported[] = [];
  try {
    await deps.db.transaction().execute(async (tx) => {
      await lockUserForNoKeyUpdate(tx, owner.userId);
      if ((await findDeviceForNoKeyUpdate(tx, owner)) === undefined) throw new AppError('device.not-found');
      // A dry run changes nothing, so it shows what would be without a confirmation.
      const importer = { ...owner, isConfirmed: owner.isConfirmed || options.isDryRun };
      imported.push(await apply(tx, deps, { owner: importer, options, entries }));
      if (options.isDryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
  const [done] = imported;
  if (done === undefined) throw new Error('the import has neither failed nor a result');
  return options.isDryRun ? { result: done.result, change: undefined } : done;
}

/** Before the transaction, because a proof is looked up in DNS. */
async function assertMayClaimAll(deps: MappingDeps, { userId }: Owner, entries: readonly FileEntry[]): Promise<void> {
  for (const { line, mapping } of entries) {
    if (!mapping.custom_domain) continue;
    try {
      await assertMayClaim(deps, { userId, domain: mapping.custom_domain });
    } catch (error) {
      throw errorAtLine(error, line);
    }
  }
}

/** Without those that a frpc.toml manages. */
async function listOwnMappings(tx: Db, deviceId: number): Promise<MappingRow[]> {
  return (await listMappingsOfDevices(tx, [deviceId])).filter(({ frpcProxy }) => frpcProxy === null);
}

/** Rolls a dry run back. */
class DryRunEnd extends Error {}

async function apply(
  tx: Db,
  deps: MappingDeps,
  { owner, options, entries }: { owner: Importer; options: Options; entries: readonly FileEntry[] },
): Promise<Imported> {
  const rows = await listOwnMappings(tx, owner.deviceId);
  const present = new Map(rows.map((row) => [addressOf(settableFields(row)), row]));
  const named = new Set(entries.map(({ mapping }) => addressOf(mapping)));
  const others = [...present].filter(([address]) => !named.has(address));
  const result: MappingImportResult = { added: [], changed: [], deleted: [], kept: [], unchanged: 0 };
  for (const [address, row] of others) {
    if (options.deletesOthers) {
      await assertMayRemove(tx, owner, row.id);
      await removeInTransaction(tx, { id: row.id, userId: owner.userId });
    }
    (options.deletesOthers ? result.deleted : result.kept).push(address);
  }
  // What exists first: a limit of the plan then counts what is left.
  const sorted = entries.toSorted((first, second) => Number(isPresent(second)) - Number(isPresent(first)));
  for (const entry of sorted) {
    try {
      await applyEntry(tx, deps, { owner, entry, row: present.get(addressOf(entry.mapping)), result });
    } catch (error) {
      throw errorAtLine(error, entry.line);
    }
  }
  const isChanged = result.added.length + result.changed.length + result.deleted.length > 0;
  if (result.deleted.length > 0) await announceVerifications(tx, owner.userId);
  return { result, change: isChanged ? await announceDeviceChange(tx, owner) : undefined };

  function isPresent({ mapping }: FileEntry): boolean {
    return present.has(addressOf(mapping));
  }
}

async function applyEntry(
  tx: Db,
  deps: MappingDeps,
  {
    owner,
    entry,
    row,
    result,
  }: { owner: Importer; entry: FileEntry; row: MappingRow | undefined; result: MappingImportResult },
): Promise<void> {
  const { enabled, pinned, kind = 'http', ...input } = entry.mapping;
  const address = addressOf(entry.mapping);
  const open = settableColumns({ ...input, kind });
  if (row === undefined) {
    const values = { ...open, passwordHash: null };
    assertMappingConsistent({ ...values, enabled, pinned });
    await assertMayAdd(tx, owner, values);
    await insertInTransaction(tx, deps, owner, { values, switches: { enabled, pinned } });
    result.added.push(address);
    return;
  }
  const wanted = { ...open, enabled, pinned };
  const changes = differences(row, wanted);
  const fields = changedFields(row, { ...row, ...changes });
  if (fields.length === 0) {
    result.unchanged += 1;
    return;
  }
  const patch: MappingPatch = {}; // the caller's scopes are checked by the call
  const { userId, isConfirmed } = owner;
  await changeInTransaction(tx, deps, { id: row.id, userId, isConfirmed, scopes: undefined }, { patch, changes });
  result.changed.push({ address, fields });
}

function differences<Columns extends object>(row: MappingRow, wanted: Columns): Partial<Columns> {
  const before: Record<string, unknown> = row;
  const changed = Object.entries(wanted).filter(([column, value]) => !isDeepStrictEqual(before[column], value));
  return Object.fromEntries(changed) as Partial<Columns>; // entries of `wanted`
}

function changedFields(before: MappingRow, after: MappingRow): string[] {
  const [first, second]: Record<string, unknown>[] = [settableFields(before), settableFields(after)];
  return Object.keys(first ?? {}).filter((name) => !isDeepStrictEqual(first?.[name], second?.[name]));
}
