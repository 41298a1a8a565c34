import type { GrantedBy } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type VerificationRow = {
  id: number;
  mappingId: number;
  deviceId: number;
  kind: 'cookie' | 'ip';
  grantedBy: GrantedBy;
  who: string;
  host: string;
  /** Of tcp and udp mappings. */
  port: number | null;
  visitorIp: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
};

/** Of the mappings of one owner; what is undefined does not matter. */
export type VerificationChoice = {
  ownerId: number;
  mapping: number | undefined;
  router: number | undefined;
  state: 'active' | 'expired' | 'revoked' | undefined;
  grantedBy: GrantedBy | undefined;
  search: string | undefined;
};

function selectOf(db: Db, ownerId: number) {
  return db
    .selectFrom('verification')
    .innerJoin('mapping', 'mapping.id', 'verification.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('device.userId', '=', ownerId);
}

function selectChosen(db: Db, { ownerId, mapping, router, state, grantedBy, search }: VerificationChoice) {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`;
  return selectOf(db, ownerId)
    .$if(mapping !== undefined, (query) => query.where('mapping.id', '=', mapping ?? 0))
    .$if(router !== undefined, (query) => query.where('device.id', '=', router ?? 0))
    .$if(grantedBy !== undefined, (query) => query.where('verification.grantedBy', '=', grantedBy ?? 'owner'))
    .$if(state === 'revoked', (query) => query.where('verification.revokedAt', 'is not', null))
    .$if(state === 'active', (query) =>
      query.where('verification.revokedAt', 'is', null).where('verification.expiresAt', '>', sql<Date>`now()`),
    )
    .$if(state === 'expired', (query) =>
      query.where('verification.revokedAt', 'is', null).where('verification.expiresAt', '<=', sql<Date>`now()`),
    )
    .$if(pattern !== '%%', (query) =>
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
  ...(['verification.who', 'verification.host', 'mapping.port', 'mapping.deviceId'] as const),
  ...(['verification.visitorIp', 'verification.userAgent', 'verification.createdAt'] as const),
  ...(['verification.expiresAt', 'verification.revokedAt'] as const),
] as const;

export async function findVerification(db: Db, id: number, ownerId: number): Promise<VerificationRow | undefined> {
  return await selectOf(db, ownerId).where('verification.id', '=', id).select(columns).executeTakeFirst();
}

/** The newest first. */
export async function listVerificationRows(
  db: Db,
  choice: VerificationChoice,
  page: { limit: number; offset: number },
): Promise<VerificationRow[]> {
  return await selectChosen(db, choice)
    .select(columns)
    .orderBy('verification.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countVerifications(db: Db, choice: VerificationChoice): Promise<number> {
  const { count } = await selectChosen(db, choice)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
