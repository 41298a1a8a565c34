import { MAX_EDGE_CERTIFICATES } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** A certificate that relays serve. `version` changes with every issue; `bytes` is its approximate size in a message. */
export type ShownCertificate = { id: number; version: string; bytes: number };

export type IssuedCertificate = {
  id: number;
  subject: string;
  issuedNames: string[];
  chain: string;
  keySealed: Buffer;
};

// Far more than can be open at once.
const MAX_OPEN_CHALLENGES = 1_000;

/**
 * Lists every certificate that relays serve. Console certificates are served until they expire even when they are no
 * longer wanted: a change of the configuration must leave no name without one. Beyond MAX_EDGE_CERTIFICATES the newest
 * are left out.
 */
export async function listShownCertificates(db: Db): Promise<{ shown: ShownCertificate[]; leftOut: number }> {
  const rows = await db
    .selectFrom('certificate')
    .where((eb) => eb.or([eb('wanted', '=', true), eb('origin', '=', 'console')]))
    .where('notAfter', '>', sql<Date>`now()`)
    .select('id')
    .select(sql<number>`count(*) over ()`.as('total'))
    // Sealing uses a random nonce, so the sealed key differs after each issue.
    .select(sql<string>`md5(key_sealed)`.as('version'))
    .select(sql<number>`octet_length(chain) + octet_length(key_sealed)`.as('bytes'))
    .orderBy(sql`origin = 'console'`, 'desc')
    .orderBy('id')
    .limit(MAX_EDGE_CERTIFICATES)
    .execute();
  const shown = rows.map(({ id, version, bytes }) => ({ id, version, bytes }));
  return { shown, leftOut: (rows[0]?.total ?? 0) - rows.length };
}

/** Whether relays serve a certificate for this name or for the wildcard above it. */
export async function isCertified(db: Db, host: string): Promise<boolean> {
  const wildcard = `*${host.slice(host.indexOf('.'))}`;
  const row = await db
    .selectFrom('certificate')
    .where((eb) => eb.or([eb('wanted', '=', true), eb('origin', '=', 'console')]))
    .where('notAfter', '>', sql<Date>`now()`)
    .where(sql<boolean>`issued_names && array[${host}, ${wildcard}]`)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function listIssuedCertificates(db: Db, ids: number[]): Promise<IssuedCertificate[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('certificate')
    .where('id', 'in', ids)
    .where('chain', 'is not', null)
    .select(['id', 'subject', 'issuedNames', 'chain', 'keySealed'])
    .$narrowType<{ issuedNames: string[]; chain: string; keySealed: Buffer }>() // not null together with chain
    .orderBy('id')
    .execute();
}

export async function listOpenChallenges(db: Db): Promise<{ token: string; keyAuthorization: string }[]> {
  return await db
    .selectFrom('acmeChallenge')
    .where('expiresAt', '>', sql<Date>`now()`)
    .select(['token', 'keyAuthorization'])
    .orderBy('token')
    .limit(MAX_OPEN_CHALLENGES)
    .execute();
}
