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

// Rows are inserted only where there is none: an `on conflict` would use up an id at every look. The lock above keeps
// other processes from inserting them meanwhile.

async function wantConsole(tx: Db, planned: PlannedCertificate[]): Promise<number> {
  if (planned.length === 0) return 0;
  const subjects = planned.map((wish) => wish.subject);
  const present = await tx.selectFrom('certificate').where('subject', 'in', subjects).select('subject').execute();
  const known = new Set(present.map(({ subject }) => subject));
  const missing = planned.filter(({ subject }) => !known.has(subject));
  if (missing.length > 0) {
    const rows = missing.map((wish) => ({ ...wish, origin: 'console' as const }));
    await tx.insertInto('certificate').values(rows).execute();
  }
  let changed = missing.length;
  for (const wish of planned) if (known.has(wish.subject)) changed += await changeToConsole(tx, wish);
  return changed;
}

async function changeToConsole(tx: Db, { subject, names, challenge }: PlannedCertificate): Promise<number> {
  const rows = await tx
    .updateTable('certificate')
    .set({ names, challenge, origin: 'console', wanted: true, userId: null })
    // What was tried with other names or in another way says nothing about this one.
    .set({ failures: 0 })
    .set({ nextTryAt: sql<Date>`case when issued_names = ${names}::text[] then next_try_at else now() end` })
    .where('subject', '=', subject)
    .where(
      sql<boolean>`(names, challenge, origin, wanted) is distinct from (${names}::text[], ${challenge}, 'console', true)`,
    )
    .returning('id')
    .execute();
  return rows.length;
}

async function wantCustomDomains(tx: Db): Promise<number> {
  const inserted = await sql<{ id: number }>`
    insert into certificate (subject, names, origin, challenge, user_id)
    select custom_domain, array[custom_domain], 'custom_domain', 'http-01', user_id
    from mapping join device on device.id = mapping.device_id
    where ${endsHere} and not exists (select from certificate where subject = custom_domain)
    order by mapping.id
    returning id`.execute(tx);
  const changed = await sql<{ id: number }>`
    update certificate
    set wanted = true, names = array[subject], origin = 'custom_domain', challenge = 'http-01', user_id = device.user_id
    from mapping join device on device.id = mapping.device_id
    where custom_domain = subject and ${endsHere}
      and (not wanted or (origin = 'custom_domain' and certificate.user_id is distinct from device.user_id))
    returning certificate.id`.execute(tx);
  return inserted.rows.length + changed.rows.length;
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

/**
 * Whoever never got a certificate is remembered for a week after the next try that was due, so that making the mapping
 * anew does not reset the limits.
 */
async function forgetEnded(tx: Db): Promise<number> {
  const rows = await tx
    .deleteFrom('certificate')
    .where('wanted', '=', false)
    .where(sql<boolean>`coalesce(not_after, next_try_at + interval '7 days') < now()`)
    .where(sql<boolean>`coalesce(claimed_until < now(), true)`)
    .returning('id')
    .execute();
  return rows.length;
}

/**
 * Mappings whose visitors see a certificate of ours under a domain of the user's own. Before the domain leads here an order
 * would fail, and count against the limits of the authority.
 */
const endsHere = sql<boolean>`custom_domain is not null and mapping.enabled and not tls_passthrough
  and exists (select from domain_check where mapping_id = mapping.id and domain = custom_domain and ready_at is not null)`;
