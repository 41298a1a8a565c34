import type { TestDb } from '../../../db/open-test-db.ts';
import { seal } from '../../../db/sealing.ts';

const DAY_MS = 86_400_000;

/** The sealing key of the test hub. */
export const sealingKey = Buffer.alloc(32, 2);

type CertificateOptions = { chain?: string; origin?: 'console' | 'custom_domain'; wanted?: boolean; endsInMs?: number };

/** Inserts an issued certificate, sealed with the test hub's key. */
export async function insertCertificate(t: TestDb, subject: string, options: CertificateOptions = {}): Promise<void> {
  const { origin = 'custom_domain', wanted = true, endsInMs = 60 * DAY_MS, chain = `chain of ${subject}` } = options;
  await t.db
    .insertInto('certificate')
    .values({
      subject,
      names: [subject],
      origin,
      wanted,
      challenge: 'http-01',
      issuedNames: [subject],
      issuedBy: 'https://ca.example/dir',
      chain,
      keySealed: seal(sealingKey, `key of ${subject}`, `certificate:${subject}`),
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + endsInMs),
    })
    .execute();
}
