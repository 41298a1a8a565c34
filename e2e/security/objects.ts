import { randomBytes } from 'node:crypto';
import { endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import type { Product } from '../support/product.ts';
import { openDatabase, type Neighbour } from '../support/neighbour.ts';

/** Something that belongs to somebody: where its calls begin, and how another account comes by one. */
type Owned = { path: string; idOf: (victim: Victim) => number };

export type Victim = Neighbour & { userId: number; ids: Record<string, number> };

/** Every path of the contract with an id in it begins with one of these; a new kind of object is added here. */
const ownedObjects: Owned[] = [
  { path: '/api/profile/', idOf: ({ userId }) => userId },
  { path: '/api/user/routers/', idOf: ({ deviceId }) => deviceId },
  { path: '/api/user/records/', idOf: ({ mappingId }) => mappingId },
  ...['verifications', 'shares', 'members', 'passkeys', 'sessions', 'api_tokens'].map((name): Owned => ({
    path: `/api/user/${name}/`,
    idOf: ({ ids }) => ids[name] ?? 0,
  })),
  { path: '/api/user/alerts/channels/', idOf: ({ ids }) => ids['alert_channels'] ?? 0 },
];

/** Not anybody's own: whoever may call them may name any. */
const staffPaths = ['/api/announcement/manage/'];

/** The calls that name one object, with the id of the victim's. Throws for a path that nobody has thought of. */
export function callsOnOwned(victim: Victim): { key: EndpointKey; path: string }[] {
  return endpointKeys()
    .filter((key) => key.includes('{id}') && !staffPaths.some((path) => key.includes(path)))
    .map((key) => {
      const path = pathOf(key);
      const owned = ownedObjects.find((object) => path.startsWith(object.path));
      if (owned === undefined) throw new Error(`whose are the objects of ${key}? Add them to ${import.meta.filename}`);
      const id = owned.idOf(victim);
      if (id === 0) throw new Error(`the victim has nothing at ${owned.path}`);
      return { key, path: path.replace('{id}', String(id)) };
    });
}

export function endpointKeys(): EndpointKey[] {
  return Object.keys(endpoints) as EndpointKey[]; // the keys of the table
}

export function endpointOf(key: EndpointKey): Endpoint {
  return endpoints[key];
}

export function methodOf(key: EndpointKey): string {
  return key.split(' ')[0] ?? '';
}

/** As it stands in the contract, with `{id}`. */
export function pathOf(key: EndpointKey): string {
  return key.split(' ')[1] ?? '';
}

/** Gives the neighbour one of everything that an account can own. */
export async function makeVictim(product: Product, neighbour: Neighbour): Promise<Victim> {
  await using database = await openDatabase(product);
  const insert = async (sql: string, values: unknown[]): Promise<number> =>
    (await database.query<{ id: number }>(sql, values)).rows[0]?.id ?? 0;
  const { mappingId, account } = neighbour;
  const userId = await insert('select id from user_account where username = $1', [account]);
  const hash = () => randomBytes(32);
  return {
    ...neighbour,
    userId,
    ids: {
      verifications: await insert(
        `insert into verification (user_id, mapping_id, kind, granted_by, host, visitor_ip, user_agent, expires_at)
         values ($1, $2, 'ip', 'own_address', 'next-door.localhost', '203.0.113.7', 'test', now() + interval '1 day')
         returning id`,
        [userId, mappingId],
      ),
      shares: await insert(
        `insert into share_link (mapping_id, label, code_hash, code_sealed, expires_at)
         values ($1, '', $2, $3, now() + interval '1 day') returning id`,
        [mappingId, hash(), hash()],
      ),
      members: await insert(
        `insert into mapping_member (mapping_id, contact) values ($1, 'friend@example.com') returning id`,
        [mappingId],
      ),
      passkeys: await insert(
        `insert into passkey (user_id, rp_id, credential_id, public_key, counter, name)
         values ($1, 'localhost', $2, $3, 0, '手机') returning id`,
        [userId, hash().toString('base64url'), hash()],
      ),
      sessions: await insert(
        `insert into session (id_hash, user_id, expires_at, ip, user_agent)
         values ($1, $2, now() + interval '1 day', '203.0.113.7', 'test') returning id`,
        [hash(), userId],
      ),
      api_tokens: await insert(
        `insert into api_token (user_id, name, hint, token_hash, scopes)
         values ($1, '脚本', 'tt_api_x', $2, '{devices:read}') returning id`,
        [userId, hash()],
      ),
      alert_channels: await insert(
        `insert into alert_channel (user_id, kind, name, target_sealed, hint, has_secret, events)
         values ($1, 'webhook', '家庭群', $2, 'example.com', false, '{new_login}') returning id`,
        [userId, hash()],
      ),
    },
  };
}
