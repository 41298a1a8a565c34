import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { notify } from '../../db/notify.ts';
import type { PlannedCertificate } from './plan-console-certificates.ts';

/**
 * Makes the rows say what is wanted now: the console's certificates as planned, and one for each domain of a user's own
 * whose TLS ends here. What is not wanted is not renewed, and forgotten when its certificate has ended.
 */
export async function syncWanted(db: Db, planned: PlannedCertificate[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Two processes that do this at once would wait for each other's rows in different orders.
    await sql`select pg_advisory_xact_lock(hashtext('certificate wishes'))`.execute(tx);
    const changes = [
      await wantConsole(tx, planned),
      await wantCustomDomains(tx),
      await dropConsole(tx, planned),
      await dropCustomDomains(tx),
      await forgetEnded(tx),
    ];
    if (changes.some((count) => count > 0)) await notify(tx, 'edge_changed', {});
  });
}

async function wantConsole(tx: Db, planned: PlannedCertificate[]): Promise<number> {
  if (planned.length === 0) return 0;
  const rows = await tx
    .insertInto('certificate')
    .values(planned.map((wish) => ({ ...wish, origin: 'console' as const })))
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet((eb) => ({
          names: eb.ref('excluded.names'),
          challenge: eb.ref('excluded.challenge'),
          origin: eb.ref('excluded.origin'),
          wanted: true,
          // What was tried with other names or in another way says nothing about this one.
          failures: 0,
          nextTryAt: sql<Date>`case when certificate.issued_names = excluded.names then certificate.next_try_at else now() end`,
        }))
        .where(
          sql<boolean>`(certificate.names, certificate.challenge, certificate.origin, certificate.wanted)
            is distinct from (excluded.names, excluded.challenge, excluded.origin, true)`,
        ),
    )
    .returning('id')
    .execute();
  return rows.length;
}

async function wantCustomDomains(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into certificate (subject, names, origin, challenge)
    select custom_domain, array[custom_domain], 'custom_domain', 'http-01' from mapping where ${endsHere}
    on conflict (subject) do update
      set wanted = true, names = excluded.names, origin = excluded.origin, challenge = excluded.challenge
      where not certificate.wanted
    returning id`.execute(tx);
  return rows.length;
}

async function dropConsole(tx: Db, planned: PlannedCertificate[]): Promise<number> {
  const subjects = planned.map((wish) => wish.subject);
  const rows = await tx
    .updateTable('certificate')
    .set({ wanted: false })
    .where('wanted', '=', true)
    .where('origin', '=', 'console')
    .where(sql<boolean>`subject <> all(${subjects}::text[])`)
    .returning('id')
    .execute();
  return rows.length;
}

async function dropCustomDomains(tx: Db): Promise<number> {
  const rows = await tx
    .updateTable('certificate')
    .set({ wanted: false })
    .where('wanted', '=', true)
    .where('origin', '=', 'custom_domain')
    .where(sql<boolean>`not exists (select from mapping where custom_domain = certificate.subject and ${endsHere})`)
    .returning('id')
    .execute();
  return rows.length;
}

/** Whoever never got a certificate is remembered for a week, so that making the mapping anew does not reset the limits. */
async function forgetEnded(tx: Db): Promise<number> {
  const rows = await tx
    .deleteFrom('certificate')
    .where('wanted', '=', false)
    .where(sql<boolean>`coalesce(not_after, created_at + interval '7 days') < now()`)
    .where(sql<boolean>`coalesce(claimed_until < now(), true)`)
    .returning('id')
    .execute();
  return rows.length;
}

/** Mappings whose visitors see a certificate of ours under a domain of the user's own. */
const endsHere = sql<boolean>`custom_domain is not null and enabled and not tls_passthrough`;
