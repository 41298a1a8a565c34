import { type CertificateProblem, isCertificateProblem } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** `ready`: a valid certificate is shown; a problem beside it is that of a renewal. */
export type CertificateStatus = {
  state: 'waiting' | 'ready' | 'failed';
  notAfter: Date | null;
  problem: CertificateProblem | undefined;
};

/** How the certificates of these domains stand; a domain that none is ordered for is missing. */
export async function listCertificateStatuses(db: Db, domains: string[]): Promise<Map<string, CertificateStatus>> {
  if (domains.length === 0) return new Map();
  const rows = await db
    .selectFrom('certificate')
    .where((eb) => eb('subject', '=', eb.fn.any(sql<string[]>`${domains}::text[]`)))
    .where('wanted', '=', true)
    .select(['subject', 'notAfter', 'problem'])
    .execute();
  return new Map(
    rows.map(({ subject, notAfter, problem }) => {
      const isValid = notAfter !== null && notAfter.getTime() > Date.now();
      const state = isValid ? 'ready' : problem === null ? 'waiting' : 'failed';
      return [subject, { state, notAfter, problem: known(problem) }];
    }),
  );
}

/** A word of another version is at noJitter a problem. */
function known(problem: string | null): CertificateProblem | undefined {
  if (problem === null) return undefined;
  return isCertificateProblem(problem) ? problem : 'internal';
}
