import {
  MAX_VISIT_PATH,
  MAX_VISIT_USER_AGENT,
  MAX_VISIT_WHO_NAME,
  type UnrecordedVisits,
  type VisitRecord,
  withoutHiddenCharacters,
} from '@tongtu/contract';
import { claimReport } from '../../db/claim-report.ts';
import type { Db } from '../../db/driver.ts';
import { placeOf } from '../places/index.ts';
import { addUnrecorded, deleteExcessVisits, insertVisits, lockLoggedMappings, type NewVisit } from './visit-store.ts';

export type VisitReport = {
  relayId: string;
  bootId: string;
  sequence: number;
  records: VisitRecord[];
  unrecorded: UnrecordedVisits[];
};

/**
 * Stores a relay's report once for each number and start of the relay. Ignores mappings that are deleted or whose log is
 * off by now. Each mapping keeps its latest visits.
 */
export async function storeVisits(db: Db, report: VisitReport): Promise<void> {
  const { records, unrecorded } = report;
  await db.transaction().execute(async (tx) => {
    if (!(await claimReport(tx, 'visitReport', report))) return;
    const logged = await lockLoggedMappings(tx, [
      ...new Set([...records, ...unrecorded].map(({ mappingId }) => mappingId)),
    ]);
    const kept = records.filter(({ mappingId }) => logged.has(mappingId));
    await insertVisits(tx, kept.map(toVisit));
    await addUnrecorded(
      tx,
      unrecorded.filter(({ mappingId }) => logged.has(mappingId)),
    );
    for (const mappingId of new Set(kept.map((record) => record.mappingId))) await deleteExcessVisits(tx, mappingId);
  });
}

/** Relays send what visitors sent: no text of it may hide something or be refused by the database. */
function toVisit(record: VisitRecord): NewVisit {
  return {
    ...record,
    at: new Date(record.atMs),
    ip: plain(record.address, 64),
    place: placeOf(record.address),
    verificationId: record.verificationId,
    whoName: plain(record.whoName ?? '', MAX_VISIT_WHO_NAME),
    reason: plain(record.reason, 40),
    method: plain(record.method, 20),
    path: plain(record.path, MAX_VISIT_PATH),
    userAgent: plain(record.userAgent, MAX_VISIT_USER_AGENT),
  };
}

function plain(text: string, maxLength: number): string {
  return withoutHiddenCharacters(text.toWellFormed()).slice(0, maxLength).toWellFormed();
}
