import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { effectivePresence } from '../devices/index.ts';

const MAX_VISITORS_PER_NETWORK = 50;

type OwnDevice = { id: number; name: string; publicIp: string; isOnline: boolean };
export type VisitorRow = { network: string; visitorIp: string; who: string; host: string; lastAt: Date };

/** The user's devices that have ever connected, each with the address that it uses or used last. */
export async function listOwnDevices(db: Db, userId: number): Promise<OwnDevice[]> {
  return await db
    .selectFrom('device')
    .innerJoinLateral(
      (eb) => effectivePresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .where('device.userId', '=', userId)
    .where('presence.publicIp', 'is not', null)
    .select(['device.id', 'device.name'])
    .select((eb) => eb.ref('presence.publicIp').$notNull().as('publicIp'))
    .select(sql<boolean>`presence.presence_online and presence.relay_alive`.as('isOnline'))
    .orderBy('device.name')
    .orderBy('device.id')
    .execute();
}

/** Verified addresses have no `visitor_network`: it is stored for the limits of cookies. */
const visitorNetwork = sql<string>`case
  when visitor_network <> '' then visitor_network
  when visitor_ip ~ '^[0-9a-f:.]*:[0-9a-f:.]*$' then host(network(set_masklen(visitor_ip::inet, 64)))
  else visitor_ip end`;

/** Who was let in to the owner's mappings from these networks, the latest first; each visitor of a host once. */
export async function listVisitorsOfNetworks(db: Db, ownerId: number, networks: string[]): Promise<VisitorRow[]> {
  const visitors = db
    .selectFrom('verification')
    .where('ownerId', '=', ownerId)
    .select([visitorNetwork.as('network'), 'visitorIp', 'who', 'host'])
    .select((eb) => eb.fn.max('createdAt').as('lastAt'))
    .groupBy(['network', 'visitorIp', 'who', 'host']);
  const ranked = db
    .selectFrom(visitors.as('visitor'))
    .where(sql<boolean>`network = any(${networks}::text[])`)
    .select(['network', 'visitorIp', 'who', 'host', 'lastAt'])
    .select(sql<number>`row_number() over (partition by network order by last_at desc)`.as('place'));
  return await db
    .selectFrom(ranked.as('visitor'))
    .where('place', '<=', MAX_VISITORS_PER_NETWORK)
    .select(['network', 'visitorIp', 'who', 'host', 'lastAt'])
    .orderBy('lastAt', 'desc')
    .execute();
}
