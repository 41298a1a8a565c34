import type { Db } from '../../db/driver.ts';
import { type CertificateStatus, listCertificateStatuses } from '../certificates/index.ts';
import { type DomainStatus, listDomainStatuses } from '../domains/index.ts';
import { listUsageOfLastDay, type UsageSum } from '../usage/index.ts';
import { listMappingsOfDevices, type MappingRow } from './mapping-store.ts';

export type DescribedMapping = {
  row: MappingRow;
  usage: UsageSum;
  certificate: CertificateStatus | undefined;
  domain: DomainStatus | undefined;
};

/** Adds the usage of the last 24 hours and the state of domain and certificate to each mapping, with one query each. */
export async function describeMappings(db: Db, rows: MappingRow[]): Promise<DescribedMapping[]> {
  const ids = rows.map(({ id }) => id);
  return await describe(db, rows, await listUsageOfLastDay(db, ids));
}

/** Reads the usage of the last 24 hours. */
export type ReadUsage = (db: Db, mappingIds: number[]) => Promise<ReadonlyMap<number, UsageSum>>;

/** The mappings of the devices, described, by id. */
export async function listDescribedMappings(
  db: Db,
  deviceIds: number[],
  readUsage: ReadUsage = listUsageOfLastDay,
): Promise<DescribedMapping[]> {
  const rows = await listMappingsOfDevices(db, deviceIds);
  const ids = rows.map(({ id }) => id);
  return await describe(db, rows, await readUsage(db, ids));
}

async function describe(db: Db, rows: MappingRow[], usage: ReadonlyMap<number, UsageSum>): Promise<DescribedMapping[]> {
  const withDomain = rows.filter(({ customDomain }) => customDomain !== null);
  const [standings, domains] = await Promise.all([
    listCertificateStatuses(
      db,
      withDomain.flatMap(({ customDomain }) => customDomain ?? []),
    ),
    listDomainStatuses(
      db,
      withDomain.map(({ id }) => id),
    ),
  ]);
  return rows.map((row) => ({
    row,
    usage: usage.get(row.id) ?? { bytesIn: 0, bytesOut: 0, requests: 0 },
    certificate: standings.get(row.customDomain ?? ''),
    domain: domains.get(row.id),
  }));
}
