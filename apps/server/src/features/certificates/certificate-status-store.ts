import { type CertificateProblem, isCertificateProblem } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** `ready`: relays serve a valid certificate. A `problem` then concerns its renewal. */
export type CertificateStatus = {
  state: 'waiting' | 'ready' | 'failed';
  notAfter: Date | null;
  problem: CertificateProblem | undefined;
};

/** The certificate status of these domains. The result lacks domains for which nothing is ordered. */
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
      return [subject, { state, notAfter, problem: toKnownProblem(problem) }];
    }),
  );
}

/** Another version of the server may have stored a problem that this version does not know. */
function toKnownProblem(problem: string | null): CertificateProblem | undefined {
  if (problem === null) return undefined;
  return isCertificateProblem(problem) ? problem : 'internal';
}
