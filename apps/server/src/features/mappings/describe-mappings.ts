import type { Db } from '../../db/driver.ts';
import { type CertificateStatus, listCertificateStatuses } from '../certificates/index.ts';
import { type DomainStatus, listDomainStatuses } from '../domains/index.ts';
import { listUsageOfLastDay, listUsageOfLastDayByDevices, type UsageSum } from '../usage/index.ts';
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

/** The mappings of the devices, described, by id. Mappings and usage are read at the same time. */
export async function listDescribedMappings(db: Db, deviceIds: number[]): Promise<DescribedMapping[]> {
  const [rows, usage] = await Promise.all([
    listMappingsOfDevices(db, deviceIds),
    listUsageOfLastDayByDevices(db, deviceIds),
  ]);
  return await describe(db, rows, usage);
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
