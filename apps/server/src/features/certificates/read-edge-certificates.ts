import type { EdgeCertificate } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { unseal } from '../../db/sealing.ts';
import { type IssuedCertificate, listIssuedCertificates } from './edge-store.ts';
import { keyPurpose } from './sealing-purposes.ts';

export type EdgeCertificateDeps = { db: Db; log: Logger; sealingKey: Buffer };

/** Reads these certificates for the relays. One whose key cannot be unsealed is logged and left out. */
export async function readEdgeCertificates(deps: EdgeCertificateDeps, ids: number[]): Promise<EdgeCertificate[]> {
  const issued = await listIssuedCertificates(deps.db, ids);
  return issued.flatMap((certificate) => {
    const key = unsealKey(deps, certificate);
    const { id, issuedNames: names, chain: cert } = certificate;
    return key === undefined ? [] : [{ id, names, cert, key }];
  });
}

function unsealKey({ log, sealingKey }: EdgeCertificateDeps, { subject, keySealed }: IssuedCertificate) {
  try {
    return unseal(sealingKey, keySealed, keyPurpose(subject));
  } catch (err) {
    log.error({ err, subject }, 'the key of a certificate cannot be opened');
    return undefined;
  }
}
