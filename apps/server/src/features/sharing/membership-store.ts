import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { effectivePresence, isDeviceEnabled, type StateFacts } from '../devices/index.ts';
import { isOverPlanLimit, type MappedHost, type MappingRow } from '../mappings/index.ts';
import { type Allowance, allowanceOfDevice } from '../plans/index.ts';

/** A mapping of another user, with what its members may know. */
export type MembershipRow = { id: number; createdAt: Date; owner: string; pinned: boolean } & StateFacts &
  Pick<MappingRow, 'kind' | 'prefix' | 'customDomain' | 'port' | 'suffix' | 'tlsPassthrough'> & {
    allowance: Allowance | null;
  } & Pick<
    MappedHost,
    'mappingEnabled' | 'isOverPlanLimit' | 'policy' | 'opensAt' | 'closesAt' | 'hoursDays' | 'hoursFrom' | 'hoursTo'
  >;

/**
 * A member is the account that accepted the member's invitation or asked for access, and the account that has verified the
 * contact. One account may be two members, by phone number and by e-mail address.
 */
const isMember = sql<boolean>`(mapping_member.user_id = user_account.id or mapping_member.contact = any(array[
  case when user_account.phone_bound_at is not null then user_account.phone_number end, lower(user_account.email)]))`;
const isCurrent = sql<boolean>`coalesce(mapping_member.expires_at > now(), true)`;

/** The members that are this account, on other users' mappings. */
export function selectMemberships(db: Db, userId: number) {
  return db
    .selectFrom('mappingMember')
    .innerJoin('userAccount', (join) => join.on('userAccount.id', '=', userId))
    .innerJoin('mapping', 'mapping.id', 'mappingMember.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where(isMember)
    .where(isCurrent)
    .where('device.userId', '<>', userId);
}

/** The first member of the mapping that is this user. */
export async function findMembership(
  db: Db,
  { mappingId, userId }: { mappingId: number; userId: number },
): Promise<{ id: number } | undefined> {
  return await selectMemberships(db, userId)
    .where('mappingMember.mappingId', '=', mappingId)
    .orderBy('mappingMember.id')
    .limit(1)
    .select('mappingMember.id')
    .executeTakeFirst();
}

/** The ids of all members of the mapping that are this user. */
export async function listMembershipIds(
  db: Db,
  { mappingId, userId }: { mappingId: number; userId: number },
): Promise<number[]> {
  const rows = await selectMemberships(db, userId)
    .where('mappingMember.mappingId', '=', mappingId)
    .select('mappingMember.id')
    .execute();
  return rows.map((row) => row.id);
}

/** The mapping of this membership and its owner; undefined when the membership is not this user's. */
export async function findMappingOfMembership(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<{ mappingId: number; ownerId: number } | undefined> {
  return await selectMemberships(db, userId)
    .where('mappingMember.id', '=', id)
    .select(['mappingMember.mappingId', 'device.userId as ownerId'])
    .executeTakeFirst();
}

export async function updatePinned(tx: Db, ids: readonly number[], pinned: boolean): Promise<void> {
  await tx
    .updateTable('mappingMember')
    .set({ pinned })
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .execute();
}

/** The newest memberships, each mapping once, of the kinds that members can open: those whose visitors show a cookie. */
export async function listMemberships(db: Db, userId: number, limit: number): Promise<MembershipRow[]> {
  const firstPerMapping = selectMemberships(db, userId)
    .groupBy('mappingMember.mappingId')
    .select((eb) => eb.fn.min('mappingMember.id').as('id'));
  return await db
    .selectFrom('device')
    .leftJoinLateral(
      (eb) => effectivePresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .innerJoin('mapping', 'mapping.deviceId', 'device.id')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .innerJoin('mappingMember', 'mappingMember.mappingId', 'mapping.id')
    .where('mappingMember.id', 'in', firstPerMapping)
    .where('mapping.kind', 'in', ['http', 'https'])
    .where('mapping.tlsPassthrough', '=', false)
    .orderBy('mappingMember.id', 'desc')
    .limit(limit)
    .select(['mappingMember.id', 'mappingMember.createdAt', 'mappingMember.pinned', 'userAccount.username as owner'])
    .select(['mapping.kind', 'mapping.prefix', 'mapping.customDomain', 'mapping.port', 'server.suffix'])
    .select(['mapping.tlsPassthrough', 'mapping.enabled as mappingEnabled', 'mapping.policy'])
    .select(['mapping.opensAt', 'mapping.closesAt', 'mapping.hoursDays', 'mapping.hoursFrom', 'mapping.hoursTo'])
    .select([isDeviceEnabled().as('enabled'), allowanceOfDevice().as('allowance')])
    .select(isOverPlanLimit().as('isOverPlanLimit'))
    .select(['presence.presenceOnline', 'presence.changedAt', 'presence.offlineReason'])
    .select(['presence.relayLastSeenAt', 'presence.relayAlive'])
    .execute();
}

/** The accounts that have verified any of these contacts. */
export async function listAccountsByContact(db: Db, contacts: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('userAccount')
    .where(
      sql<boolean>`((phone_bound_at is not null and phone_number = any(${contacts}::text[]))
        or (email <> '' and lower(email) = any(${contacts}::text[])))`,
    )
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}
