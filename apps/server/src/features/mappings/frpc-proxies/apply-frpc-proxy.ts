import { AppError, type FrpcProxy, isWildcard } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { announceAccessChange, announceDeviceChange } from '../../live/index.ts';
import { withDomainClaims } from '../address/claim-domain.ts';
import { changeInTransaction } from '../change-mapping.ts';
import { insertInTransaction } from '../create-mapping.ts';
import { removeInTransaction } from '../deletion/remove-mapping.ts';
import { settableColumns } from '../mapping-columns.ts';
import type { MappingDeps } from '../mapping-deps.ts';
import { listMappingsOfDevices, type MappingRow, updateMapping } from '../mapping-store.ts';
import { findFrpcTomlDevice } from './frpc-device-store.ts';
import { type ProxyColumns, proxyColumns, wantedMappings } from './wanted-mappings.ts';

type Owner = { deviceId: number; userId: number };
type Wanted = {
  columns: ProxyColumns;
  input: Parameters<typeof proxyColumns>[0];
  /** `isShared`: of another proxy of the device, which stays as it is. */
  row: (MappingRow & { isShared?: true }) | undefined;
};
type Kept = ReadonlySet<number>;
/** The proxy of a mapping whose own has left it to others that share its domain. No proxy has this name. */
const NO_PROXY = '';

/**
 * Gives a device all mappings of a proxy in its frpc.toml, or none if one of them is refused. The same proxy again changes
 * nothing, and a mapping keeps its access when its address changes.
 *
 * Proxies for HTTP with the same domain share its mapping: it is the https proxy's, else that of the first http proxy.
 * Others serve the mappings of `keptMappingIds` now, and keep them when the proxy leaves. Throws device.not-found,
 * frpc.domain-missing, frpc.domain-taken, frpc.wildcard-needs-https, frpc.wildcard-unproven, and the errors of
 * createMapping.
 */
export async function applyFrpcProxy(
  deps: MappingDeps,
  { deviceId, proxy, keptMappingIds = [] }: { deviceId: number; proxy: FrpcProxy; keptMappingIds?: number[] },
): Promise<{ deviceId: number; mappingIds: number[] }> {
  const device = await findFrpcTomlDevice(deps.db, deviceId);
  if (device === undefined) throw new AppError('device.not-found');
  const owner = { deviceId, userId: device.userId };
  const rows = (await listMappingsOfDevices(deps.db, [deviceId])).filter(({ frpcProxy }) => frpcProxy !== null);
  const wanted = wantedMappings(proxy, device.suffix).map((input) => ({
    input,
    columns: proxyColumns(input, proxy, device.suffix),
  }));
  const kept = new Set(keptMappingIds);
  const { paired, left } = pair(wanted, {
    own: rows.filter(({ frpcProxy }) => frpcProxy === proxy.name),
    others: rows.filter(({ frpcProxy }) => frpcProxy !== proxy.name),
    kept,
  });
  if (paired.some(isWildcardWithoutTls)) throw new AppError('frpc.wildcard-needs-https');
  const claims = paired
    .filter(({ row }) => row?.isShared !== true)
    .map(({ columns: { customDomain }, row }) => ({
      userId: owner.userId,
      customDomain,
      ...(row && { mappingId: row.id }),
    }));
  const mappingIds = await withDomainClaims(deps, claims, async (prepare) => {
    return await deps.db.transaction().execute(async (tx) => {
      await prepare(tx);
      await lockUserForNoKeyUpdate(tx, owner.userId);
      for (const { id } of left) {
        if (kept.has(id)) await updateMapping(tx, id, { frpcProxy: NO_PROXY }, { endsPassword: false });
        else await removeInTransaction(tx, { id, userId: owner.userId });
      }
      if (left.length > 0) await announceAccessChange(tx, owner);
      const ids: number[] = [];
      for (const each of paired) ids.push(await save(tx, deps, { owner, frpcProxy: proxy.name, wanted: each }));
      return ids;
    });
  });
  return { deviceId, mappingIds };
}

/** Each wanted mapping with the row of the same address, else with another row of the proxy that may become it. */
function pair(
  wanted: Omit<Wanted, 'row'>[],
  { own, others, kept }: { own: readonly MappingRow[]; others: readonly MappingRow[]; kept: Kept },
): { paired: Wanted[]; left: readonly MappingRow[] } {
  const left = [...own];
  const take = (isFit: (row: MappingRow) => boolean): MappingRow | undefined => {
    const at = left.findIndex(isFit);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const same = wanted.map((each) => ({
    ...each,
    row: take((row) => hasAddress(row, each.columns)) ?? sharedRow(others, each.columns),
  }));
  const paired = same.map((each) => ({
    ...each,
    row: each.row ?? take((row) => row.kind === each.columns.kind && !kept.has(row.id)),
  }));
  return { paired, left };
}

/**
 * An https proxy makes the mapping its own, and the http proxies share it. A mapping without a proxy becomes that of the
 * next one, unless this would end end-to-end TLS. Throws frpc.domain-taken.
 */
function sharedRow(others: readonly MappingRow[], columns: ProxyColumns): Wanted['row'] {
  const row = isPort(columns) ? undefined : others.find((other) => hasAddress(other, columns));
  if (row === undefined) return undefined;
  const isFree = row.frpcProxy === NO_PROXY;
  if (columns.kind === 'http' && (!isFree || row.kind === 'https')) return { ...row, isShared: true };
  if (row.kind === 'https' && !isFree) throw new AppError('frpc.domain-taken');
  return row;
}

/** No certificate could be ordered for its names. */
function isWildcardWithoutTls({ columns, row }: Wanted): boolean {
  const { kind, customDomain } = columns;
  return kind === 'http' && customDomain !== null && isWildcard(customDomain) && row?.isShared !== true;
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

/** Returns the id of the mapping. */
async function save(
  tx: Db,
  deps: MappingDeps,
  { owner, frpcProxy, wanted }: { owner: Owner; frpcProxy: string; wanted: Wanted },
): Promise<number> {
  const { columns, input, row } = wanted;
  if (row?.isShared === true) return row.id;
  if (row === undefined) {
    const values = { ...settableColumns(input), ...columns, passwordHash: null };
    const inserted = await insertInTransaction(tx, deps, owner, { values, frpcProxy });
    await announceDeviceChange(tx, owner);
    return inserted.id;
  }
  const changes = differences(row, { ...columns, frpcProxy });
  if (Object.keys(changes).length === 0) return row.id;
  const mapping = { id: row.id, userId: owner.userId, isConfirmed: false, scopes: undefined };
  await changeInTransaction(tx, deps, mapping, { patch: {}, changes, isByFrpc: true });
  await announceDeviceChange(tx, owner);
  return row.id;
}

/** Who may visit is decided in the console, and a port that was chosen stays. */
function differences(
  row: MappingRow,
  { policy: _policy, ...columns }: ProxyColumns & { frpcProxy: string },
): Partial<ProxyColumns> {
  const given = { ...columns, port: columns.port ?? row.port };
  const before: Record<string, unknown> = row;
  const changed = Object.entries(given).filter(([name, value]) => before[name] !== value);
  return Object.fromEntries(changed) as Partial<ProxyColumns>; // entries of `columns`
}
