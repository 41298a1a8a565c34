import { endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import { createOneOfEach } from '@tongtu/server/testing/installation';
import { z } from 'zod';
import type { Product } from '../support/product.ts';
import { inDatabase } from '../support/database.ts';
import { createOtherTenant, type OtherTenant } from '../support/other-tenant.ts';

/** Something that belongs to somebody: where its calls begin, and how another account comes by one. */
type Owned = { path: string; idOf: (victim: Victim) => number };

export type Victim = OtherTenant & { ids: Record<string, number> };

/** A word and an address that stand in everything of the victim's and in nothing else. */
const markedWord = 'zq7-victim';
const markedAddress = '203.0.113.177';
export const victimsMark = /zq7-victim|203\.0\.113\.177|other-tenant/;

/** Every path of the contract with an id in it begins with one of these; a new kind of object is added here. */
const ownedObjects: Owned[] = [
  { path: '/api/profile/', idOf: ({ userId }) => userId },
  { path: '/api/user/routers/', idOf: ({ deviceId }) => deviceId },
  { path: '/api/user/records/', idOf: ({ mappingId }) => mappingId },
  ...[
    'verifications',
    'shares',
    'members',
    'shared_with_me',
    'passkeys',
    'sessions',
    'api_tokens',
    'access_requests',
    'enrolment_keys',
    'trusted_browsers',
  ].map((name): Owned => ({
    path: `/api/user/${name}/`,
    idOf: ({ ids }) => ids[name] ?? 0,
  })),
  { path: '/api/user/alerts/channels/', idOf: ({ ids }) => ids['alert_channels'] ?? 0 },
];

/** The calls that name one object, with the id of the victim's. Throws for a path that nobody has thought of. */
export function callsOnOwned(victim: Victim): { key: EndpointKey; path: string }[] {
  return (
    endpointKeys()
      // Objects of a role belong to nobody: every account with the role may name any.
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

/**
 * Numbers and names that are no object of anybody's; those of a captcha's answer are dots and times. A `token_id` is
 * worth nothing without its `sign`, and whose proof it is, is tested in binding-routes.http.test.ts.
 */
const plainFields = [
  'token_id',
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

/** Creates one of each object that an account can own for the other tenant, each with the mark. */
export async function makeVictim(product: Product, otherTenant: OtherTenant): Promise<Victim> {
  const shared = await createOtherTenant(product, { account: `${markedWord}-friend`, prefix: 'other-tenant-shared' });
  const ids = await inDatabase(product, async (db) => {
    const mark = { word: markedWord, address: markedAddress };
    return await createOneOfEach(db, { owner: otherTenant, sharedMappingId: shared.mappingId, mark });
  });
  return { ...otherTenant, ids };
}
