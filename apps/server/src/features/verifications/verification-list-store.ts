import type { GrantedBy } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining } from '../../db/like-pattern.ts';

export type VerificationRow = {
  id: number;
  mappingId: number;
  isMappingDeleted: boolean;
  deviceId: number;
  isDeviceDeleted: boolean;
  /** The device's name, or its last name if it is deleted. */
  deviceName: string;
  kind: 'cookie' | 'ip';
  grantedBy: GrantedBy;
  who: string;
  host: string;
  /** Null except for TCP and UDP mappings. */
  port: number | null;
  visitorIp: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
};

/** Selects verifications of one owner's mappings. Undefined fields select all. */
export type VerificationFilter = {
  ownerId: number;
  mapping: number | undefined;
  router: number | undefined;
  state: 'active' | 'expired' | 'revoked' | undefined;
  grantedBy: GrantedBy | undefined;
  search: string | undefined;
};

// A mapping's device may change. For a deleted mapping, its deleted_mapping row has the last device.
const deviceId = sql<number>`coalesce(mapping.device_id, deleted_mapping.device_id, verification.device_id)`;

function selectByOwner(db: Db, ownerId: number) {
  return db
    .selectFrom('verification')
    .leftJoin('mapping', 'mapping.id', 'verification.mappingId')
    .leftJoin('deletedMapping', (join) =>
      join
        .onRef('deletedMapping.id', '=', 'verification.mappingId')
        .onRef('deletedMapping.ownerId', '=', 'verification.ownerId'),
    )
    .leftJoin('device', (join) =>
      join.on('device.id', '=', deviceId).onRef('device.userId', '=', 'verification.ownerId'),
    )
    .where('verification.ownerId', '=', ownerId);
}

function selectFiltered(db: Db, { ownerId, mapping, router, state, grantedBy, search = '' }: VerificationFilter) {
  const pattern = patternContaining(search);
  return selectByOwner(db, ownerId)
    .$if(mapping !== undefined, (query) => query.where('verification.mappingId', '=', mapping ?? 0))
    .$if(router !== undefined, (query) => query.where(deviceId, '=', router ?? 0))
    .$if(grantedBy !== undefined, (query) => query.where('verification.grantedBy', '=', grantedBy ?? 'owner'))
    .$if(state === 'revoked', (query) => query.where('verification.revokedAt', 'is not', null))
    .$if(state === 'active', (query) =>
      query.where('verification.revokedAt', 'is', null).where('verification.expiresAt', '>', sql<Date>`now()`),
    )
    .$if(state === 'expired', (query) =>
      query.where('verification.revokedAt', 'is', null).where('verification.expiresAt', '<=', sql<Date>`now()`),
    )
    .$if(search !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('verification.visitorIp', 'ilike', pattern),
          eb('verification.host', 'ilike', pattern),
          eb('verification.who', 'ilike', pattern),
        ]),
      ),
    );
}

const columns = [
  ...(['verification.id', 'verification.mappingId', 'verification.kind', 'verification.grantedBy'] as const),
  ...(['verification.who', 'verification.host'] as const),
  ...(['verification.visitorIp', 'verification.userAgent', 'verification.createdAt'] as const),
  ...(['verification.expiresAt', 'verification.revokedAt'] as const),
] as const;

function withColumns(records: ReturnType<typeof selectByOwner>) {
  return records
    .select(columns)
    .select(deviceId.as('deviceId'))
    .select(sql<string>`coalesce(device.name, deleted_mapping.device_name, '')`.as('deviceName'))
    .select(sql<boolean>`mapping.id is null`.as('isMappingDeleted'))
    .select(sql<boolean>`device.id is null`.as('isDeviceDeleted'))
    .select(sql<number | null>`coalesce(mapping.port, deleted_mapping.port)`.as('port'));
}

export async function findVerification(db: Db, id: number, ownerId: number): Promise<VerificationRow | undefined> {
  return await withColumns(selectByOwner(db, ownerId)).where('verification.id', '=', id).executeTakeFirst();
}

/** Newest first. */
export async function listVerificationRows(
  db: Db,
  filter: VerificationFilter,
  page: { limit: number; offset: number },
): Promise<VerificationRow[]> {
  return await withColumns(selectFiltered(db, filter))
    .orderBy('verification.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countVerifications(db: Db, filter: VerificationFilter): Promise<number> {
  const { count } = await selectFiltered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
