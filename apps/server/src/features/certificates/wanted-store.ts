import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { notify } from '../../db/notify.ts';
import type { PlannedCertificate } from './plan-console-certificates.ts';

/**
 * Makes the column `wanted` true for exactly the planned console certificates and the custom domains whose TLS ends
 * here. Certificates that are not wanted are not renewed, and deleted after they expire.
 */
export async function syncWantedCertificates(db: Db, planned: PlannedCertificate[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Without the lock two processes could lock the rows in different orders and deadlock.
    await sql`select pg_advisory_xact_lock(hashtext('certificate wishes'))`.execute(tx);
    const changes = [
      await markConsoleWanted(tx, planned),
      await markCustomDomainsWanted(tx),
      await markConsoleUnwanted(tx, planned),
      await markCustomDomainsUnwanted(tx),
      await deleteExpired(tx),
    ];
    if (changes.some((count) => count > 0)) await notify(tx, 'edge_changed', {});
  });
}

// Rows are inserted only where there is none, because `on conflict` would use up an id at every call. The lock above
// keeps other processes from inserting the same rows.

async function markConsoleWanted(tx: Db, planned: PlannedCertificate[]): Promise<number> {
  if (planned.length === 0) return 0;
  const subjects = planned.map((plan) => plan.subject);
  const present = await tx.selectFrom('certificate').where('subject', 'in', subjects).select('subject').execute();
  const known = new Set(present.map(({ subject }) => subject));
  const missing = planned.filter(({ subject }) => !known.has(subject));
  if (missing.length > 0) {
    const rows = missing.map((plan) => ({ ...plan, origin: 'console' as const }));
    await tx.insertInto('certificate').values(rows).execute();
  }
  let changed = missing.length;
  for (const plan of planned) if (known.has(plan.subject)) changed += await updateConsoleCertificate(tx, plan);
  return changed;
}

async function updateConsoleCertificate(tx: Db, { subject, names, challenge }: PlannedCertificate): Promise<number> {
  const rows = await tx
    .updateTable('certificate')
    .set({ names, challenge, origin: 'console', wanted: true, userId: null })
    // Earlier failures concern other names or another challenge type.
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

async function markCustomDomainsWanted(tx: Db): Promise<number> {
  const inserted = await sql<{ id: number }>`
    insert into certificate (subject, names, origin, challenge, user_id)
    select custom_domain, array[custom_domain], 'custom_domain', 'http-01', user_id
    from mapping join device on device.id = mapping.device_id
    where ${terminatesTlsHere} and not exists (select from certificate where subject = custom_domain)
    order by mapping.id
    returning id`.execute(tx);
  const changed = await sql<{ id: number }>`
    update certificate
    set wanted = true, names = array[subject], origin = 'custom_domain', challenge = 'http-01', user_id = device.user_id
    from mapping join device on device.id = mapping.device_id
    where custom_domain = subject and ${terminatesTlsHere}
      and (not wanted or (origin = 'custom_domain' and certificate.user_id is distinct from device.user_id))
    returning certificate.id`.execute(tx);
  return inserted.rows.length + changed.rows.length;
}

async function markConsoleUnwanted(tx: Db, planned: PlannedCertificate[]): Promise<number> {
  const subjects = planned.map((plan) => plan.subject);
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

async function markCustomDomainsUnwanted(tx: Db): Promise<number> {
  const rows = await tx
    .updateTable('certificate')
    .set({ wanted: false })
    .where('wanted', '=', true)
    .where('origin', '=', 'custom_domain')
    .where(
      sql<boolean>`not exists (select from mapping where custom_domain = certificate.subject and ${terminatesTlsHere})`,
    )
    .returning('id')
    .execute();
  return rows.length;
}

/**
 * Deletes expired certificates that are not wanted. A row that never got a certificate stays for a week after its next
 * attempt was due, so that recreating the mapping does not reset the limits.
 */
async function deleteExpired(tx: Db): Promise<number> {
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
 * Matches mappings with a custom domain whose TLS the relays terminate. Before the domain leads here an order would fail,
 * and count against the limits of the authority.
 */
const terminatesTlsHere = sql<boolean>`custom_domain is not null and mapping.enabled and not tls_passthrough
  and exists (select from domain_check where mapping_id = mapping.id and domain = custom_domain and ready_at is not null)`;
