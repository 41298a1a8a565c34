import { canonicalAddress, networkOf } from '@tongtu/base';
import type { RefusalReason } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining } from '../../db/like-pattern.ts';

/** A visit that the gate has just refused. `right_ended` is found out when it is stored. */
export type Refusal = {
  ownerId: number;
  mappingId: number;
  deviceId: number;
  host: string;
  reason: Exclude<RefusalReason, 'right_ended'>;
  /** The account that was logged in. */
  userId: number | undefined;
  ip: string;
  userAgent: string;
};

/** What an owner looks through, and more than a flood may fill. */
const MAX_ROWS_OF_MAPPING = 200;
const REPEAT_SECONDS = 10;
const retention = sql`interval '90 days'`;

/**
 * Counts a refusal of this visitor in this hour. A page that is loaded again within seconds is the same visit; wrong passwords
 * are few, because they are limited, and each counts.
 */
export async function countRefusal(tx: Db, refusal: Refusal): Promise<'first' | 'repeated'> {
  const { ownerId, mappingId, deviceId, host, reason, userId = null, ip, userAgent } = refusal;
  const visitor = userId === null ? `network:${networkOf(ip)}` : `user:${userId}`;
  const wasLetIn = sql`exists (
    select from verification where verification.user_id = ${userId}::integer and verification.mapping_id = ${mappingId})`;
  const { rows } = await sql<{ isFirst: boolean }>`
    insert into refused_visit (owner_id, mapping_id, device_id, host, reason, visitor, who, visitor_ip, user_agent, hour)
    select ${ownerId}, ${mappingId}, ${deviceId}, ${host},
      case when ${reason} = 'not_allowed' and ${wasLetIn} then 'right_ended' else ${reason} end,
      ${visitor}, coalesce((select username from user_account where id = ${userId}::integer), ''),
      ${canonicalAddress(ip)}, ${userAgent}, date_trunc('hour', now())
    on conflict (mapping_id, visitor, reason, hour) do update
      set count = refused_visit.count + 1, last_at = now(), visitor_ip = excluded.visitor_ip,
        user_agent = excluded.user_agent
      where excluded.reason = 'password_wrong'
        or refused_visit.last_at < now() - make_interval(secs => ${REPEAT_SECONDS})
    returning xmax = 0 as is_first`.execute(tx);
  return rows[0]?.isFirst === true ? 'first' : 'repeated';
}

/** Keeps the latest refusals of a mapping. Skips locked rows, which are just being counted or deleted. */
export async function deleteExcessRefusals(tx: Db, mappingId: number): Promise<void> {
  await sql`
    delete from refused_visit where id in (
      select id from refused_visit where mapping_id = ${mappingId}
      order by last_at desc, id desc offset ${MAX_ROWS_OF_MAPPING} for update skip locked)`.execute(tx);
}

/** Deletes refusals after as long as verifications are kept. */
export async function deleteOldRefusedVisits(db: Db): Promise<void> {
  await db
    .deleteFrom('refusedVisit')
    .where(sql<boolean>`last_at < now() - ${retention}`)
    .execute();
}

export type RefusedVisitRow = {
  id: number;
  mappingId: number;
  isMappingDeleted: boolean;
  deviceId: number;
  isDeviceDeleted: boolean;
  /** The device's name, or its last name if it is deleted. */
  deviceName: string;
  host: string;
  reason: RefusalReason;
  who: string;
  visitorIp: string;
  userAgent: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
};

/** Selects refused visits of one owner's mappings. Undefined fields select all. */
export type RefusedVisitFilter = {
  ownerId: number;
  mapping: number | undefined;
  router: number | undefined;
  search: string | undefined;
};

// A mapping's device may change. For a deleted mapping, its deleted_mapping row has the last device.
const deviceId = sql<number>`coalesce(mapping.device_id, deleted_mapping.device_id, refused_visit.device_id)`;

function selectFiltered(db: Db, { ownerId, mapping, router, search = '' }: RefusedVisitFilter) {
  const pattern = patternContaining(search);
  return db
    .selectFrom('refusedVisit')
    .leftJoin('mapping', 'mapping.id', 'refusedVisit.mappingId')
    .leftJoin('deletedMapping', (join) =>
      join
        .onRef('deletedMapping.id', '=', 'refusedVisit.mappingId')
        .onRef('deletedMapping.ownerId', '=', 'refusedVisit.ownerId'),
    )
    .leftJoin('device', (join) =>
      join.on('device.id', '=', deviceId).onRef('device.userId', '=', 'refusedVisit.ownerId'),
    )
    .where('refusedVisit.ownerId', '=', ownerId)
    .$if(mapping !== undefined, (query) => query.where('refusedVisit.mappingId', '=', mapping ?? 0))
    .$if(router !== undefined, (query) => query.where(deviceId, '=', router ?? 0))
    .$if(search !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('refusedVisit.visitorIp', 'ilike', pattern),
          eb('refusedVisit.host', 'ilike', pattern),
          eb('refusedVisit.who', 'ilike', pattern),
        ]),
      ),
    );
}

/** Latest first. */
export async function listRefusedVisitRows(
  db: Db,
  filter: RefusedVisitFilter,
  page: { limit: number; offset: number },
): Promise<RefusedVisitRow[]> {
  return await selectFiltered(db, filter)
    .select(['refusedVisit.id', 'refusedVisit.mappingId', 'refusedVisit.host', 'refusedVisit.reason'])
    .select(['refusedVisit.who', 'refusedVisit.visitorIp', 'refusedVisit.userAgent', 'refusedVisit.count'])
    .select(['refusedVisit.firstAt', 'refusedVisit.lastAt'])
    .select(deviceId.as('deviceId'))
    .select(sql<string>`coalesce(device.name, deleted_mapping.device_name, '')`.as('deviceName'))
    .select(sql<boolean>`mapping.id is null`.as('isMappingDeleted'))
    .select(sql<boolean>`device.id is null`.as('isDeviceDeleted'))
    .orderBy('refusedVisit.lastAt', 'desc')
    .orderBy('refusedVisit.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countRefusedVisits(db: Db, filter: RefusedVisitFilter): Promise<number> {
  const { count } = await selectFiltered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
