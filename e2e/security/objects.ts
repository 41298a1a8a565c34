import { endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import { createOneOfEach } from '@tongtu/server/testing/installation';
import { z } from 'zod';
import type { Product } from '../support/product/product.ts';
import { inDatabase } from '../support/product/database.ts';
import { createOtherTenant, type OtherTenant } from '../support/services/other-tenant.ts';

/** A kind of object with an owner: the path of its calls, and the id of the victim's object. */
type Owned = { path: string; idOf: (victim: Victim) => number };

export type Victim = OtherTenant & { ids: Record<string, number> };

/** A word and an address that all of the victim's objects contain, and no others. */
const markedWord = 'zq7-victim';
const markedAddress = '203.0.113.177';
export const victimsMark = /zq7-victim|203\.0\.113\.177|other-tenant/;

/** Every path of the contract with an id begins with one of these. Add new kinds of objects here. */
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
    'cloud_apps',
    'cloud_app_sessions',
    'cloud_app_offers',
  ].map((name): Owned => ({
    path: `/api/user/${name}/`,
    idOf: ({ ids }) => ids[name] ?? 0,
  })),
  { path: '/api/user/alerts/channels/', idOf: ({ ids }) => ids['alert_channels'] ?? 0 },
];

/** All calls with an id in their path, with that of the victim's object. Throws for an unlisted kind of object. */
export function callsOnOwned(victim: Victim): { key: EndpointKey; path: string }[] {
  return (
    keysWithoutBilling()
      // Objects of a role have no owner: every account with the role may access them.
      .filter((key) => key.includes('{id}') && endpointOf(key).role === undefined)
      .map((key) => {
        const path = pathOf(key);
        const owned = ownedObjects.find((object) => path.startsWith(object.path));
        if (owned === undefined)
          throw new Error(`whose are the objects of ${key}? Add them to ${import.meta.filename}`);
        const id = owned.idOf(victim);
        if (id === 0) throw new Error(`the victim has nothing at ${owned.path}`);
        const member = String(victim.ids['cloud_app_members']);
        return { key, path: path.replace('{id}', String(id)).replace('{member}', member) };
      })
  );
}

/** The values of a field that refers to an object: the victim's object, and one that does not exist. */
type Named = { victims: (victim: Victim) => unknown; nobodys: unknown };

const namingFields: Record<string, Named> = {
  router: { victims: ({ deviceId }) => deviceId, nobodys: 999_999 },
  record: { victims: ({ mappingId }) => mappingId, nobodys: 999_999 },
  mapping: { victims: ({ mappingId }) => mappingId, nobodys: 999_999 },
  uid: { victims: ({ uid }) => uid, nobodys: 'ffffffffffff' },
  domain: { victims: ({ prefix }) => `${prefix}.localhost`, nobodys: 'nobodys.localhost' },
};

/**
 * Fields that do not refer to an object. Those of a captcha's answer are coordinates and times. A `token_id` is useless
 * without its `sign`; binding-routes.http.test.ts tests whose it is. A terminal of others to `resume` is a new session
 * instead of an error; app-sessions.http.test.ts tests that.
 */
const plainFields = [
  ...['token_id', 'resume'],
  ...['actor', 'user'], // staff see those of everybody
  ...['index', 't', 'limit', 'offset', 'revision', 'readed_announcement_id', 'port', 'position', 'custom_domain'],
  ...['before', 'after'], // where a page of a mapping's visits begins or ends; the mapping is in the path
  'within_seconds', // how far back the attempts to add a device are listed
  'points', // into how many parts a period of statistics is divided
  ...['max_uses', 'valid_days', 'valid_hours', 'extend_hours', 'offline_after_minutes', 'percent'],
  ...['answer_timeout_s', 'silence_timeout_s'], // options of a mapping
];

/** The calls of cloud apps have a field `domain` that is a Windows domain. */
const windowsDomains: readonly EndpointKey[] = ['POST /api/user/cloud_apps/', 'PATCH /api/user/cloud_apps/{id}/'];

/** Public calls: they only say whether a name is in use, which every visitor can see. */
const forAnybody: EndpointKey[] = ['GET /api/router_info/'];

export type NamingCall = {
  key: EndpointKey;
  part: 'query' | 'body';
  field: string;
  victims: unknown;
  nobodys: unknown;
};

/** All calls with a field that refers to an object. Throws for an unlisted field that may be one. */
export function callsThatName(victim: Victim): NamingCall[] {
  return keysWithoutBilling()
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

/** Finds fields that may refer to an object. All ids are integers, except for a few names. */
function namesIn(key: EndpointKey, part: 'query' | 'body'): string[] {
  const fields = objectsOf(schemaOf(endpointOf(key)[part])).flatMap(({ properties = {} }) =>
    Object.entries(properties),
  );
  return fields
    .filter(([name, schema]) => /uid|domain|_id$/.test(name) || saysInteger(schema))
    .map(([name]) => name)
    .filter((name) => !plainFields.includes(name))
    .filter((name) => name !== 'domain' || !windowsDomains.includes(key));
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

/** The JSON schema, as in the OpenAPI document. */
export function schemaOf(schema: z.ZodType | undefined): JsonSchema {
  if (schema === undefined) return {};
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
}

const alternativesOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema) => [...anyOf, ...oneOf, ...allOf];

/** All objects with named fields in a schema, at any depth. */
export function objectsOf(schema: JsonSchema): JsonSchema[] {
  const within = [
    ...alternativesOf(schema),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ];
  // The fields of a passkey's answer are defined by the browser, and checked by the WebAuthn library.
  const isFree = schema.propertyNames !== undefined;
  return [...(schema.type === 'object' && !isFree ? [schema] : []), ...within.flatMap(objectsOf)];
}

function saysInteger(schema: JsonSchema): boolean {
  return schema.type === 'integer' || alternativesOf(schema).some(saysInteger);
}

export function endpointKeys(): EndpointKey[] {
  return Object.keys(endpoints) as EndpointKey[]; // the keys of the table
}

/** Without the calls of billing, which is off here. Tests of its features ask for the orders and keys of others. */
export function keysWithoutBilling(): EndpointKey[] {
  return endpointKeys().filter((key) => endpointOf(key).billing !== true);
}

export function endpointOf(key: EndpointKey): Endpoint {
  return endpoints[key];
}

export function methodOf(key: EndpointKey): string {
  return key.split(' ')[0] ?? '';
}

/** The path in the contract, with `{id}`. */
export function pathOf(key: EndpointKey): string {
  return key.split(' ')[1] ?? '';
}

/** Creates one object of each kind that an account can own, each with the mark, for the other tenant. */
export async function makeVictim(product: Product, otherTenant: OtherTenant): Promise<Victim> {
  const shared = await createOtherTenant(product, { account: `${markedWord}-friend`, prefix: 'other-tenant-shared' });
  const ids = await inDatabase(product, async (db) => {
    const mark = { word: markedWord, address: markedAddress };
    return await createOneOfEach(db, { owner: otherTenant, sharedMappingId: shared.mappingId, mark });
  });
  return { ...otherTenant, ids };
}
