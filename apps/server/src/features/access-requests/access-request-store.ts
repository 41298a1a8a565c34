import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type AccessRequestRow = {
  id: number;
  mappingId: number;
  deviceId: number;
  prefix: string | null;
  customDomain: string | null;
  suffix: string;
  account: string;
  message: string;
  createdAt: Date;
};

/** How long an account cannot ask again after a refusal. */
const refusalLife = sql`interval '7 days'`;
/** A request that the owner does not answer ends after this time. */
const requestLife = sql`interval '30 days'`;

const isPending = sql<boolean>`(access_request.refused_at is null and access_request.created_at > now() - ${requestLife})`;
const isRefused = sql<boolean>`(coalesce(access_request.refused_at > now() - ${refusalLife}, false))`;

export async function deleteOldAccessRequests(db: Db): Promise<void> {
  await db
    .deleteFrom('accessRequest')
    .where(sql<boolean>`not ${isPending} and not ${isRefused}`)
    .execute();
}

/** The state of an account's request; undefined when it may ask. */
export async function findRequestState(
  db: Db,
  { mappingId, userId }: { mappingId: number; userId: number },
): Promise<'pending' | 'refused' | undefined> {
  const row = await db
    .selectFrom('accessRequest')
    .where('mappingId', '=', mappingId)
    .where('userId', '=', userId)
    .where(sql<boolean>`(${isPending} or ${isRefused})`)
    .select('refusedAt')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.refusedAt === null ? 'pending' : 'refused';
}

/** Inserts the request, or renews one that has ended. False when the account has asked already. */
export async function saveRequest(
  tx: Db,
  request: { mappingId: number; userId: number; message: string },
): Promise<boolean> {
  const row = await tx
    .insertInto('accessRequest')
    .values(request)
    .onConflict((conflict) =>
      conflict
        .columns(['mappingId', 'userId'])
        .doUpdateSet({ message: request.message, createdAt: sql<Date>`now()`, refusedAt: null })
        .where(sql<boolean>`not ${isPending} and not ${isRefused}`),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The requests of the last day for a mapping, refused ones included. */
export async function countRequestsOfLastDay(tx: Db, mappingId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('accessRequest')
    .where('mappingId', '=', mappingId)
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The pending requests for the owner's mappings, the newest first. */
export async function listRequests(db: Db, ownerId: number, limit: number): Promise<AccessRequestRow[]> {
  return await db
    .selectFrom('accessRequest')
    .innerJoin('mapping', 'mapping.id', 'accessRequest.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .innerJoin('userAccount', 'userAccount.id', 'accessRequest.userId')
    .where('device.userId', '=', ownerId)
    .where(isPending)
    .orderBy('accessRequest.id', 'desc')
    .limit(limit)
    .select(['accessRequest.id', 'accessRequest.mappingId', 'mapping.deviceId', 'message', 'accessRequest.createdAt'])
    .select(['mapping.prefix', 'mapping.customDomain', 'server.suffix', 'userAccount.username as account'])
    .execute();
}

/** The mapping and account of a pending request for one of the owner's mappings. */
export async function findPendingRequest(
  db: Db,
  { id, ownerId }: { id: number; ownerId: number },
): Promise<{ mappingId: number; userId: number; account: string } | undefined> {
  return await db
    .selectFrom('accessRequest')
    .innerJoin('mapping', 'mapping.id', 'accessRequest.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .innerJoin('userAccount', 'userAccount.id', 'accessRequest.userId')
    .where('accessRequest.id', '=', id)
    .where('device.userId', '=', ownerId)
    .where(isPending)
    .select(['accessRequest.mappingId', 'accessRequest.userId', 'userAccount.username as account'])
    .executeTakeFirst();
}

/** False when the request has been answered or withdrawn. */
export async function deletePendingRequest(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('accessRequest')
    .where('id', '=', id)
    .where(isPending)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the request has been answered or withdrawn. */
export async function markRequestRefused(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('accessRequest')
    .set({ refusedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isPending)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
