import type { Db } from '../../db/driver.ts';
import { type CertificateStatus, listCertificateStatuses } from '../certificates/index.ts';
import { type DomainStatus, listDomainStatuses } from '../domains/index.ts';
import { listUsageOfLastDay, type UsageSum } from '../usage/index.ts';
import type { MappingRow } from './mapping-store.ts';

export type DescribedMapping = {
  row: MappingRow;
  usage: UsageSum;
  certificate: CertificateStatus | undefined;
  domain: DomainStatus | undefined;
};

/** Adds the usage of the last 24 hours and the state of domain and certificate to each mapping, with one query each. */
export async function describeMappings(db: Db, rows: MappingRow[]): Promise<DescribedMapping[]> {
  const ids = rows.map(({ id }) => id);
  const withDomain = rows.filter(({ customDomain }) => customDomain !== null);
  const [usage, standings, domains] = await Promise.all([
    listUsageOfLastDay(db, ids),
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
