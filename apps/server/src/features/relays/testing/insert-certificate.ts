import type { TestDb } from '../../../db/open-test-db.ts';
import { seal } from '../../../db/sealing.ts';

const DAY_MS = 86_400_000;

/** The test hub's. */
export const sealingKey = Buffer.alloc(32, 2);

type Shown = { chain?: string; origin?: 'console' | 'custom_domain'; wanted?: boolean; endsInMs?: number };

/** A certificate that was issued, as the hub of tests can open it. */
export async function insertCertificate(t: TestDb, subject: string, shown: Shown = {}): Promise<void> {
  const { origin = 'custom_domain', wanted = true, endsInMs = 60 * DAY_MS, chain = `chain of ${subject}` } = shown;
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
