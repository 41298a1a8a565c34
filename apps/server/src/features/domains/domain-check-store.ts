import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Whether a custom domain leads here, as it was found last. */
export type DomainStatus = {
  isReady: boolean;
  /** Addresses that the domain had. */
  found: string[];
  /** Addresses that this server has, for domains that cannot have a CNAME. */
  wanted: string[];
};

export type DueDomain = {
  mappingId: number;
  domain: string;
  suffix: string;
  tlsPassthrough: boolean;
  tries: number;
  /** At the last check. */
  found: string[];
  wanted: string[];
};

// Longer than one check takes, so that no other process checks the same domain meanwhile.
const CLAIM_SECONDS = 60;
/** Each time that due domains are taken. */
const MAX_OF_ONE_USER = 2;

/** The mapping has another domain now: it is checked at once. Null: it has none. */
export async function replaceDomainCheck(tx: Db, mappingId: number, domain: string | null): Promise<void> {
  await tx.deleteFrom('domainCheck').where('mappingId', '=', mappingId).execute();
  if (domain !== null) await tx.insertInto('domainCheck').values({ mappingId, domain }).execute();
}

/** The user's domains that do not lead here yet. */
export async function countWaitingDomains(tx: Db, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('domainCheck')
    .innerJoin('mapping', 'mapping.id', 'domainCheck.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('device.userId', '=', userId)
    .where('domainCheck.readyAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function listDomainStatuses(db: Db, mappingIds: number[]): Promise<Map<number, DomainStatus>> {
  if (mappingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('domainCheck')
    .where((eb) => eb('mappingId', '=', eb.fn.any(sql<number[]>`${mappingIds}::integer[]`)))
    .select(['mappingId', 'readyAt', 'found', 'wanted'])
    .execute();
  return new Map(
    rows.map(({ mappingId, readyAt, found, wanted }) => [mappingId, { isReady: readyAt !== null, found, wanted }]),
  );
}

/**
 * Takes domains whose time has come, the longest due first, and few of one user, whose slow name servers would take all
 * places; no other process checks them meanwhile.
 */
export async function claimDueDomains(db: Db, limit: number): Promise<DueDomain[]> {
  const dueByUser = db
    .selectFrom('domainCheck as due')
    .innerJoin('mapping', 'mapping.id', 'due.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('due.readyAt', 'is', null)
    .where('due.nextCheckAt', '<=', sql<Date>`now()`)
    .select('due.mappingId')
    .select(sql<number>`row_number() over (partition by device.user_id order by due.next_check_at)`.as('place'));
  const chosen = db.selectFrom(dueByUser.as('ranked')).where('place', '<=', MAX_OF_ONE_USER).select('mappingId');
  return await claim(db, (eb) =>
    eb
      .where('nextCheckAt', '<=', sql<Date>`now()`)
      .where('mappingId', 'in', chosen)
      .orderBy('nextCheckAt')
      .limit(limit),
  );
}

/** Takes the domain of one mapping, due or not; undefined where it leads here already, or the mapping has none. */
export async function claimDomainOf(db: Db, mappingId: number): Promise<DueDomain | undefined> {
  const [claimed] = await claim(db, (eb) => eb.where('mappingId', '=', mappingId));
  return claimed;
}

type DueQuery = ReturnType<typeof selectWaiting>;

function selectWaiting(db: Db) {
  return db.selectFrom('domainCheck').where('readyAt', 'is', null).select('mappingId').forUpdate().skipLocked();
}

async function claim(db: Db, choose: (waiting: DueQuery) => DueQuery): Promise<DueDomain[]> {
  return await db
    .updateTable('domainCheck')
    .set({ nextCheckAt: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
    .from('mapping')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .whereRef('mapping.id', '=', 'domainCheck.mappingId')
    .where('domainCheck.mappingId', 'in', choose(selectWaiting(db)))
    .returning(['domainCheck.mappingId', 'domainCheck.domain', 'domainCheck.tries'])
    .returning(['domainCheck.found', 'domainCheck.wanted'])
    .returning(['server.suffix', 'mapping.tlsPassthrough'])
    .execute();
}

/** What a check found; undefined where the domain was changed meanwhile. */
export async function recordDomainCheck(
  tx: Db,
  { mappingId, domain }: Pick<DueDomain, 'mappingId' | 'domain'>,
  result: DomainStatus & { tries: number; nextInSeconds: number },
): Promise<{ deviceId: number; userId: number } | undefined> {
  const { isReady, found, wanted, tries, nextInSeconds } = result;
  return await tx
    .updateTable('domainCheck')
    .set({ found, wanted, tries, ...(isReady && { readyAt: sql<Date>`now()` }) })
    .set({ nextCheckAt: sql<Date>`now() + make_interval(secs => ${nextInSeconds})` })
    .from('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .whereRef('mapping.id', '=', 'domainCheck.mappingId')
    .where('domainCheck.mappingId', '=', mappingId)
    .where('domainCheck.domain', '=', domain)
    .returning(['mapping.deviceId', 'device.userId'])
    .executeTakeFirst();
}
