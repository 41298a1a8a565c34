import type { EdgeState } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { unseal } from '../../db/sealing.ts';
import { listOpenChallenges, listShownCertificates } from './edge-store.ts';
import { keyPurpose } from './sealing-purposes.ts';

/** What relays need for the TLS of this installation's names and for proving them to the authority. */
export async function readEdge(db: Db, sealingKey: Buffer): Promise<Omit<EdgeState, 'ticketKeys'>> {
  const certificates = await listShownCertificates(db);
  return {
    certificates: certificates.map(({ subject, issuedNames, chain, keySealed }) => ({
      names: issuedNames,
      cert: chain,
      key: unseal(sealingKey, keySealed, keyPurpose(subject)),
    })),
    challenges: await listOpenChallenges(db),
  };
}
