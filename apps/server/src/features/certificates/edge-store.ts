import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type IssuedCertificate = { subject: string; issuedNames: string[]; chain: string; keySealed: Buffer };

/**
 * Every certificate that visitors may still be shown. Those of the console are shown until they end even when they are
 * not wanted any more: which of them covers a name changes with the configuration, and there must be no gap.
 */
export async function listShownCertificates(db: Db): Promise<IssuedCertificate[]> {
  return await db
    .selectFrom('certificate')
    .where((eb) => eb.or([eb('wanted', '=', true), eb('origin', '=', 'console')]))
    .where('notAfter', '>', sql<Date>`now()`)
    .select(['subject', 'issuedNames', 'chain', 'keySealed'])
    .$narrowType<{ issuedNames: string[]; chain: string; keySealed: Buffer }>() // not null together with notAfter
    .orderBy('id')
    .execute();
}

export async function listOpenChallenges(db: Db): Promise<{ token: string; keyAuthorization: string }[]> {
  return await db
    .selectFrom('acmeChallenge')
    .where('expiresAt', '>', sql<Date>`now()`)
    .select(['token', 'keyAuthorization'])
    .orderBy('token')
    .execute();
}
