import type { Visit, VisitList } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { getOwnMapping, mappingDomain } from '../mappings/index.ts';
import { listVisitRows, sumUnrecorded, type VisitFilter, type VisitRow } from './visit-list-store.ts';

export type AskedVisits = { mappingId: number; userId: number; filter: Omit<VisitFilter, 'mappingId' | 'days'> };

/** The visits of the user's own mapping. Throws mapping.not-found. */
export async function listVisits(
  db: Db,
  { mappingId, userId, filter }: AskedVisits,
  page: { limit: number; before?: number | undefined; after?: number | undefined },
): Promise<VisitList> {
  const mapping = await getOwnMapping(db, { mappingId, userId });
  const all = { ...filter, mappingId, days: mapping.visitLogDays };
  const rows = await listVisitRows(db, all, { ...page, limit: page.limit + 1 });
  const domain = mappingDomain(mapping);
  return {
    mapping: {
      id: mappingId,
      kind: mapping.kind,
      domain: mapping.port === null ? domain : `${domain}:${mapping.port}`,
      remark: mapping.remark,
    },
    visit_log_days: mapping.visitLogDays,
    results: rows.slice(0, page.limit).map(visitReply),
    has_more: rows.length > page.limit,
    unrecorded: await sumUnrecorded(db, all),
  };
}

function visitReply(row: VisitRow): Visit {
  const { id, ms, ip, place, who, outcome, reason, method, path, status } = row;
  return {
    ...{
      id,
      at: row.at.toISOString(),
      ms,
      ip,
      place,
      who,
      who_name: row.whoName,
      outcome,
      reason,
      method,
      path,
      status,
    },
    bytes_in: row.bytesIn,
    bytes_out: row.bytesOut,
    browser: row.userAgent === '' ? '' : describeDevice(row.userAgent),
    user_agent: row.userAgent,
  };
}
