import { randomBytes } from 'node:crypto';
import { endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import type { Client } from 'pg';
import { z } from 'zod';
import type { Product } from '../support/product.ts';
import { createNeighbour, openDatabase, type Neighbour } from '../support/neighbour.ts';

/** Something that belongs to somebody: where its calls begin, and how another account comes by one. */
type Owned = { path: string; idOf: (victim: Victim) => number };

export type Victim = Neighbour & { userId: number; uid: string; ids: Record<string, number> };

/** A word and an address that stand in everything of the victim's and in nothing else. */
const markedWord = 'zq7-victim';
const markedAddress = '203.0.113.177';
export const victimsMark = /zq7-victim|203\.0\.113\.177|next-door/;

/** Every path of the contract with an id in it begins with one of these; a new kind of object is added here. */
const ownedObjects: Owned[] = [
  { path: '/api/profile/', idOf: ({ userId }) => userId },
  { path: '/api/user/routers/', idOf: ({ deviceId }) => deviceId },
  { path: '/api/user/records/', idOf: ({ mappingId }) => mappingId },
  ...['verifications', 'shares', 'members', 'shared_with_me', 'passkeys', 'sessions', 'api_tokens'].map(
    (name): Owned => ({
      path: `/api/user/${name}/`,
      idOf: ({ ids }) => ids[name] ?? 0,
    }),
  ),
  { path: '/api/user/alerts/channels/', idOf: ({ ids }) => ids['alert_channels'] ?? 0 },
];

/** The calls that name one object, with the id of the victim's. Throws for a path that nobody has thought of. */
export function callsOnOwned(victim: Victim): { key: EndpointKey; path: string }[] {
  return (
    endpointKeys()
      // What is for a role is nobody's own: whoever may call it may name any.
      .filter((key) => key.includes('{id}') && endpointOf(key).role === undefined)
      .map((key) => {
        const path = pathOf(key);
        const owned = ownedObjects.find((object) => path.startsWith(object.path));
        if (owned === undefined)
          throw new Error(`whose are the objects of ${key}? Add them to ${import.meta.filename}`);
        const id = owned.idOf(victim);
        if (id === 0) throw new Error(`the victim has nothing at ${owned.path}`);
        return { key, path: path.replace('{id}', String(id)) };
      })
  );
}

/** How a field of a query or a body names an object: the victim's, and one that is nobody's. */
type Named = { victims: (victim: Victim) => unknown; nobodys: unknown };

const namingFields: Record<string, Named> = {
  router: { victims: ({ deviceId }) => deviceId, nobodys: 999_999 },
  record: { victims: ({ mappingId }) => mappingId, nobodys: 999_999 },
  mapping: { victims: ({ mappingId }) => mappingId, nobodys: 999_999 },
  uid: { victims: ({ uid }) => uid, nobodys: 'ffffffffffff' },
  domain: { victims: ({ prefix }) => `${prefix}.localhost`, nobodys: 'nobodys.localhost' },
};

/** Numbers and names that are no object of anybody's; those of a captcha's answer are dots and times. */
const plainFields = [
  ...['index', 't', 'limit', 'offset', 'revision', 'readed_announcement_id', 'port', 'custom_domain'],
  ...['max_uses', 'valid_days', 'valid_hours', 'extend_hours', 'offline_after_minutes'],
];

/** Says to anybody who asks whether a name is in use, as a visitor would see for themselves. */
const forAnybody: EndpointKey[] = ['GET /api/router_info/'];

export type NamingCall = {
  key: EndpointKey;
  part: 'query' | 'body';
  field: string;
  victims: unknown;
  nobodys: unknown;
};

/** The calls that name an object beside the path. Throws for a field that looks like it and that nobody has thought of. */
export function callsThatName(victim: Victim): NamingCall[] {
  return endpointKeys()
    .filter((key) => !forAnybody.includes(key))
    .flatMap((key) =>
      (['query', 'body'] as const).flatMap((part) => namesIn(key, part).map((field) => ({ key, part, field }))),
    )
    .map(({ key, part, field }) => {
      const named = namingFields[field];
      if (named === undefined) throw new Error(`whose is ${field} of ${key}? Add it to ${import.meta.filename}`);
      return { key, part, field, victims: named.victims(victim), nobodys: named.nobodys };
    });
}

/** All ids of the product are whole numbers, save for the few names that an object is known by. */
function namesIn(key: EndpointKey, part: 'query' | 'body'): string[] {
  const fields = objectsOf(schemaOf(endpointOf(key)[part])).flatMap(({ properties = {} }) =>
    Object.entries(properties),
  );
  return fields
    .filter(([name, schema]) => /uid|domain|_id$/.test(name) || saysInteger(schema))
    .map(([name]) => name)
    .filter((name) => !plainFields.includes(name));
}

type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: unknown;
  propertyNames?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/** As the OpenAPI document says it. */
export function schemaOf(schema: z.ZodType | undefined): JsonSchema {
  if (schema === undefined) return {};
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
}

const alternativesOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema) => [...anyOf, ...oneOf, ...allOf];

/** Every object of named fields in it, however deep. */
export function objectsOf(schema: JsonSchema): JsonSchema[] {
  const within = [
    ...alternativesOf(schema),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ];
  // What a passkey says is the browser's to name; the library that reads it takes what it knows.
  const isFree = schema.propertyNames !== undefined;
  return [...(schema.type === 'object' && !isFree ? [schema] : []), ...within.flatMap(objectsOf)];
}

function saysInteger(schema: JsonSchema): boolean {
  return schema.type === 'integer' || alternativesOf(schema).some(saysInteger);
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

/** Gives the neighbour one of everything that an account can own, each with the mark. */
export async function makeVictim(product: Product, neighbour: Neighbour): Promise<Victim> {
  await using database = await openDatabase(product);
  const { mappingId, deviceId, account } = neighbour;
  const { id: userId } = await one<{ id: number }>(database, 'select id from user_account where username = $1', [
    account,
  ]);
  const { uid } = await one<{ uid: string }>(database, 'update device set name = $2 where id = $1 returning uid', [
    deviceId,
    markedWord,
  ]);
  await one(database, 'update mapping set remark = $2 where id = $1 returning id', [mappingId, markedWord]);
  const shared = await createNeighbour(product, { account: `${markedWord}-friend`, prefix: 'next-door-but-one' });
  return {
    ...neighbour,
    userId,
    uid,
    ids: {
      ...(await makeAccess(database, { userId, mappingId, shared })),
      ...(await makeAccountThings(database, userId)),
    },
  };
}

/** What belongs to the victim's mapping, and what somebody else shares with the victim. */
async function makeAccess(
  database: Client,
  { userId, mappingId, shared }: { userId: number; mappingId: number; shared: Neighbour },
): Promise<Record<string, number>> {
  await insert(
    database,
    `with gone as (
       insert into gone_mapping (id, owner_id, device_id, device_name, kind, domain)
       select 1000000, $1, device_id, $3, 'http', $3 from mapping where id = $2 returning id, device_id
     )
     insert into verification (owner_id, mapping_id, device_id, kind, granted_by, host, visitor_ip, user_agent, expires_at)
     select $1, id, device_id, 'ip', 'own_address', $3, $4, $3, now() from gone returning id`,
    [userId, mappingId, markedWord, markedAddress],
  );
  return {
    verifications: await insert(
      database,
      `insert into verification (user_id, owner_id, mapping_id, device_id, kind, granted_by, who, host, visitor_ip,
         user_agent, expires_at)
       select $1::int, $1::int, id, device_id, 'ip', 'own_address', $3, 'next-door.localhost', $4, $3, now() + interval '1 day'
       from mapping where id = $2 returning id`,
      [userId, mappingId, markedWord, markedAddress],
    ),
    shares: await insert(
      database,
      `insert into share_link (mapping_id, label, code_hash, code_sealed, expires_at)
       values ($1, $2, $3, $3, now() + interval '1 day') returning id`,
      [mappingId, markedWord, hash()],
    ),
    members: await insert(database, `insert into mapping_member (mapping_id, contact) values ($1, $2) returning id`, [
      mappingId,
      `${markedWord}@example.com`,
    ]),
    shared_with_me: await insert(
      database,
      `with person as (update user_account set email = $3 where id = $1)
       insert into mapping_member (mapping_id, contact) values ($2, $3) returning id`,
      [userId, shared.mappingId, `me-${markedWord}@example.com`],
    ),
  };
}

async function makeAccountThings(database: Client, userId: number): Promise<Record<string, number>> {
  const alertChannel = await insert(
    database,
    `insert into alert_channel (user_id, kind, name, target_sealed, hint, has_secret, events, enabled)
     values ($1, 'webhook', $3, $2, $3, false, '{new_login}', false) returning id`,
    [userId, hash(), markedWord],
  );
  return {
    alert_channels: alertChannel,
    alert_deliveries: await insert(
      database,
      `insert into alert_delivery (channel_id, event, news, sent_at) values ($1, 'test', $2, now()) returning id`,
      [alertChannel, { event: 'test', at: new Date().toISOString(), channel: markedWord }],
    ),
    passkeys: await insert(
      database,
      `insert into passkey (user_id, rp_id, credential_id, public_key, counter, name)
       values ($1, 'localhost', $2, $3, 0, $4) returning id`,
      [userId, hash().toString('base64url'), hash(), markedWord],
    ),
    sessions: await insert(
      database,
      `insert into session (id_hash, user_id, expires_at, ip, user_agent)
       values ($1, $2, now() + interval '1 day', $3, $4) returning id`,
      [hash(), userId, markedAddress, markedWord],
    ),
    api_tokens: await insert(
      database,
      `insert into api_token (user_id, name, hint, token_hash, scopes)
       values ($1, $3, 'tt_api_x', $2, '{devices:read}') returning id`,
      [userId, hash(), markedWord],
    ),
  };
}

const hash = () => randomBytes(32);

async function insert(database: Client, sql: string, values: unknown[]): Promise<number> {
  return (await one<{ id: number }>(database, sql, values)).id;
}

async function one<Row extends object>(database: Client, sql: string, values: unknown[]): Promise<Row> {
  const { rows } = await database.query<Row>(sql, values);
  if (rows[0] === undefined) throw new Error(`no row of ${sql}`);
  return rows[0];
}
