import { AppError, type FrpcProxy } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { announceAccessChange, announceDeviceChange } from '../../live/index.ts';
import { withDomainClaim } from '../address/claim-domain.ts';
import { changeInTransaction } from '../change-mapping.ts';
import { insertInTransaction } from '../create-mapping.ts';
import { removeInTransaction } from '../deletion/remove-mapping.ts';
import { settableColumns } from '../mapping-columns.ts';
import type { MappingDeps } from '../mapping-deps.ts';
import { listMappingsOfDevices, type MappingRow } from '../mapping-store.ts';
import { findFrpcTomlDevice } from './frpc-device-store.ts';
import { type ProxyColumns, proxyColumns, wantedMappings } from './wanted-mappings.ts';

type Owner = { deviceId: number; userId: number };
type Wanted = { columns: ProxyColumns; input: Parameters<typeof proxyColumns>[0]; row: MappingRow | undefined };

/**
 * Gives a device the mappings of a proxy in its frpc.toml; the same proxy again changes nothing. A mapping keeps its access
 * when its address changes. Throws device.not-found, frpc.domain-missing, and the errors of createMapping.
 */
export async function applyFrpcProxy(
  deps: MappingDeps,
  { deviceId, proxy }: { deviceId: number; proxy: FrpcProxy },
): Promise<{ deviceId: number }> {
  const device = await findFrpcTomlDevice(deps.db, deviceId);
  if (device === undefined) throw new AppError('device.not-found');
  const owner = { deviceId, userId: device.userId };
  const rows = (await listMappingsOfDevices(deps.db, [deviceId])).filter(({ frpcProxy }) => frpcProxy === proxy.name);
  const wanted = wantedMappings(proxy, device.suffix).map((input) => ({
    input,
    columns: proxyColumns(input, proxy, device.suffix),
  }));
  const { paired, left } = pair(wanted, rows);
  for (const row of left) await remove(deps.db, owner, row.id);
  for (const each of paired) await save(deps, owner, proxy.name, each);
  return { deviceId };
}

/** Each wanted mapping with the row of the same address, else with another row of the proxy that may become it. */
function pair(
  wanted: Omit<Wanted, 'row'>[],
  rows: readonly MappingRow[],
): { paired: Wanted[]; left: readonly MappingRow[] } {
  const left = [...rows];
  const take = (isFit: (row: MappingRow) => boolean): MappingRow | undefined => {
    const at = left.findIndex(isFit);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const same = wanted.map((each) => ({ ...each, row: take((row) => hasAddress(row, each.columns)) }));
  const paired = same.map((each) => ({
    ...each,
    row: each.row ?? take((row) => isPort(row) === isPort(each.columns) && row.kind === each.columns.kind),
  }));
  return { paired, left };
}

/** A wanted port of null is any port. */
function hasAddress(row: MappingRow, { kind, prefix, customDomain, port }: ProxyColumns): boolean {
  if (row.kind !== kind && (isPort(row) || kind === 'tcp' || kind === 'udp')) return false;
  return (
    row.prefix === prefix && row.customDomain === customDomain && (row.port === port || (isPort(row) && port === null))
  );
}

function isPort({ kind }: Pick<MappingRow, 'kind'>): boolean {
  return kind === 'tcp' || kind === 'udp';
}

async function save(deps: MappingDeps, owner: Owner, frpcProxy: string, wanted: Wanted): Promise<void> {
  const { columns, input, row } = wanted;
  const claim = { userId: owner.userId, customDomain: columns.customDomain, ...(row && { mappingId: row.id }) };
  await withDomainClaim(deps, claim, async (prepare) => {
    await deps.db.transaction().execute(async (tx) => {
      await prepare(tx);
      await lockUserForNoKeyUpdate(tx, owner.userId);
      if (row === undefined) {
        const values = { ...settableColumns(input), ...columns, passwordHash: null };
        await insertInTransaction(tx, deps, owner, { values, frpcProxy });
        await announceDeviceChange(tx, owner);
        return;
      }
      const changes = differences(row, columns);
      if (Object.keys(changes).length === 0) return;
      const mapping = { id: row.id, userId: owner.userId, scopes: undefined };
      await changeInTransaction(tx, deps, mapping, { patch: {}, changes, isByFrpc: true });
      await announceDeviceChange(tx, owner);
    });
  });
}

/** Who may visit is decided in the console, and a port that was chosen stays. */
function differences(row: MappingRow, { policy: _policy, ...columns }: ProxyColumns): Partial<ProxyColumns> {
  const given = { ...columns, port: columns.port ?? row.port };
  const before: Record<string, unknown> = row;
  const changed = Object.entries(given).filter(([name, value]) => before[name] !== value);
  return Object.fromEntries(changed) as Partial<ProxyColumns>; // entries of `columns`
}

async function remove(db: Db, owner: Owner, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, owner.userId);
    await removeInTransaction(tx, { id, userId: owner.userId });
    await announceAccessChange(tx, owner);
  });
}
