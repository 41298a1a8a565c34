import type { CertificateProblem } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { notify } from '../../db/notify.ts';
import { announceDeviceList } from '../live/index.ts';

/** Whether any relay has sent a heartbeat after `since`. */
export async function hasRelayReported(db: Db, since: Date): Promise<boolean> {
  const row = await db.selectFrom('relay').where('lastSeenAt', '>', since).select('id').executeTakeFirst();
  return row !== undefined;
}

export type ClaimedCertificate = {
  id: number;
  subject: string;
  names: string[];
  challenge: 'http-01' | 'dns-01';
  failures: number;
  orderUrl: string | null;
  orderKeySealed: Buffer | null;
};

export const CLAIM_MINUTES = 10;

const isUnclaimed = sql<boolean>`coalesce(claimed_until < now(), true)`;

// The authority's rate limits count the whole installation, so one owner's failing domains must not use them up.
// A user with this many failing domains gets no order for another one. Removed domains count for a week.
const MAX_FAILING_PER_OWNER = 20;
const isWithinOwnerLimit = sql<boolean>`(chain is not null or failures > 0 or origin = 'console' or
  (select count(*) from certificate as failing
    where failing.user_id = certificate.user_id and failing.chain is null and failing.failures > 0
  ) < ${sql.lit(MAX_FAILING_PER_OWNER)})`;

/**
 * Claims the most urgent due certificate for CLAIM_MINUTES, during which no other process works on it. Undefined when
 * nothing is due.
 */
export async function claimDueCertificate(db: Db, claim: string): Promise<ClaimedCertificate | undefined> {
  return await db
    .updateTable('certificate')
    .set({ claim, claimedUntil: sql<Date>`now() + make_interval(mins => ${CLAIM_MINUTES})` })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('certificate')
        .where('wanted', '=', true)
        .where('nextTryAt', '<=', sql<Date>`now()`)
        .where(isUnclaimed)
        .where(isWithinOwnerLimit)
        // Renewals come first: without them visitors get an expired certificate.
        .orderBy(sql`not_after nulls last`)
        .orderBy('nextTryAt')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .select('id'),
    )
    .returning(['id', 'subject', 'names', 'challenge', 'failures', 'orderUrl', 'orderKeySealed'])
    .executeTakeFirst();
}

/** Seconds until an unclaimed certificate is due; undefined when there is none. */
export async function secondsUntilDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('certificate')
    .where('wanted', '=', true)
    .where(isWithinOwnerLimit)
    .select(
      sql<number | null>`extract(epoch from min(greatest(next_try_at, claimed_until)) - now())::float8`.as('seconds'),
    )
    .executeTakeFirst();
  return row?.seconds ?? undefined;
}

type Claim = { id: number; claim: string };

export async function saveOrder(db: Db, { id, claim }: Claim, order: { url: string; keySealed: Buffer }) {
  await db
    .updateTable('certificate')
    .set({ orderUrl: order.url, orderKeySealed: order.keySealed })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}

export type IssuedColumns = {
  issuedNames: string[];
  issuedBy: string;
  chain: string;
  keySealed: Buffer;
  notBefore: Date;
  notAfter: Date;
};

const released = { claim: null, claimedUntil: null };
const withoutOrder = { orderUrl: null, orderKeySealed: null };

/** Stores the issued certificate and notifies the relays and its owner's consoles. */
export async function recordIssuance(
  db: Db,
  { id, claim }: Claim,
  issued: IssuedColumns,
  renewAt: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('certificate')
      .set({ ...issued, ...released, ...withoutOrder, failures: 0, problem: null, problemDetail: '' })
      // If the names have changed since the order, the certificate is due again at once.
      .set({ nextTryAt: sql<Date>`case when names = ${issued.issuedNames}::text[] then ${renewAt} else now() end` })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .returning('subject')
      .executeTakeFirst();
    if (row === undefined) return;
    await notify(tx, 'edge_changed', {});
    await announceToOwner(tx, row.subject);
  });
}

export async function recordFailure(
  db: Db,
  { id, claim }: Claim,
  failure: { problem: CertificateProblem; detail: string; retryInMs: number; dropsOrder: boolean },
): Promise<void> {
  const { problem, detail, retryInMs, dropsOrder } = failure;
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('certificate')
      .set({ ...released, ...(dropsOrder ? withoutOrder : {}), problem, problemDetail: detail.slice(0, 1_000) })
      .set({ failures: sql<number>`failures + 1` })
      .set({ nextTryAt: sql<Date>`now() + make_interval(secs => ${retryInMs / 1000})` })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .returning('subject')
      .executeTakeFirst();
    if (row !== undefined) await announceToOwner(tx, row.subject);
  });
}

/** Releases the claim without counting a failure. The next claim continues the same order. */
export async function releaseClaim(db: Db, { id, claim }: Claim): Promise<void> {
  await db.updateTable('certificate').set(released).where('id', '=', id).where('claim', '=', claim).execute();
}

/** Makes certificates of another authority, for example a test authority, due at once. Runs when the process starts. */
export async function replaceCertificatesOfOtherAuthorities(db: Db, directoryUrl: string): Promise<void> {
  await db
    .updateTable('certificate')
    .set({ nextTryAt: sql<Date>`now()`, failures: 0 })
    .where('issuedBy', '<>', directoryUrl)
    .where('wanted', '=', true)
    .where(isUnclaimed)
    .execute();
}

async function announceToOwner(tx: Db, subject: string): Promise<void> {
  const owners = await tx
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('mapping.customDomain', '=', subject)
    .select('device.userId')
    .execute();
  await announceDeviceList(
    tx,
    owners.map(({ userId }) => userId),
  );
}
