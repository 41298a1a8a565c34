import type { EdgeCertificate } from '@tongtu/contract';
import { pino } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { listOpenChallenges, listShownCertificates } from '../edge-store.ts';
import { readEdgeCertificates } from '../read-edge-certificates.ts';

/** The certificates and key authorizations that relays serve. */
export async function readEdge(
  db: Db,
  sealingKey: Buffer,
): Promise<{ certificates: EdgeCertificate[]; challenges: { token: string; keyAuthorization: string }[] }> {
  const { shown } = await listShownCertificates(db);
  const ids = shown.map(({ id }) => id);
  return {
    certificates: await readEdgeCertificates({ db, sealingKey, log: pino({ level: 'silent' }) }, ids),
    challenges: await listOpenChallenges(db),
  };
}
