import { STATUS_CODES } from 'node:http';
import {
  callLimits,
  endpoints,
  errorCatalogue,
  findCallLimit,
  LiveEvent,
  Problem,
  type CallLimit,
  type Endpoint,
  type EndpointKey,
  type ErrorCode,
  type Role,
} from '@tongtu/contract';
import { z } from 'zod';
import { describeFieldScopes } from './field-scopes.ts';
import { notFoundCode } from './mount.ts';
import { shownUserParameter } from './browser/shown-user.ts';

type Json = Record<string, unknown>;

/** The properties of a call that decide which common problems it has. */
type CallTraits = Pick<Endpoint, 'params' | 'query' | 'body' | 'errors' | 'raw' | 'billing'>;

/** The problems that the framework, not the handler, answers, and the calls that have them. */
const commonProblems: { codes: ErrorCode[]; appliesTo: (endpoint: CallTraits, key: string) => boolean }[] = [
  { codes: ['request.invalid'], appliesTo: ({ query, body }) => query !== undefined || body !== undefined },
  // A parameter that cannot be decoded, or is too long.
  { codes: ['request.malformed', 'request.not-found'], appliesTo: ({ params }) => params !== undefined },
  // The body is parsed even if the call takes none.
  {
    codes: ['request.malformed', 'request.too-large', 'request.unsupported-type'],
    appliesTo: (_, key) => isChanging(key),
  },
  { codes: ['session.csrf', 'session.changed'], appliesTo: (_, key) => isChanging(key) },
  { codes: ['request.cross-site'], appliesTo: () => true },
  { codes: ['api-token.invalid', 'session.scope'], appliesTo: needsLogin },
  // Calls without a valid login are limited at each call of the table that needs one.
  {
    codes: ['request.too-many'],
    appliesTo: (endpoint, key) => limitOf(key) !== undefined || (key in callLimits && needsLogin(endpoint)),
  },
  { codes: ['server.internal', 'server.unavailable'], appliesTo: () => true },
];

const problemRef = { $ref: '#/components/schemas/Problem' };

const documentDescription = [
  'JSON over HTTP. Errors are problem details (RFC 9457). What they say to people is Chinese, ' +
    'or English for clients whose `Accept-Language` prefers it; `Content-Language` names which.',
  'A path of this document that is called by another method answers 405 `request.method-not-allowed` with `Allow`; any other ' +
    'path answers 404 `request.not-found`. HEAD is answered wherever GET is, but at `/api/user/events/`.',
].join('\n\n');

/** Builds the OpenAPI document of all calls from the schemas that also check requests and replies. */
export function buildOpenApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const keys = Object.keys(endpoints) as EndpointKey[]; // the keys of the table
  for (const key of keys) {
    const endpoint: Endpoint = endpoints[key];
    const [method = '', path = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = operationOf(key, endpoint);
  }
  // A stream of events has no one reply, so it is not in the contract's table.
  paths['/api/user/events/'] = { get: liveEventsOperation() };
  return {
    openapi: '3.1.0',
    info: { title: '通途 API', version, description: documentDescription },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      responses: sharedReplies(paths),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sessionid',
          description: 'Over https `__Host-sessionid`, as every cookie has the prefix there.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRFToken',
          description:
            'Repeats the cookie `csrftoken` (over https `__Host-csrftoken`), which every reading call hands out. ' +
            'Where a browser holds several of the name, all of them, with commas between.',
        },
        api_token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'tt_api_…',
          description:
            'A token of one’s own with the scope that the call names. It needs no cookie and no CSRF header. ' +
            'Calls that need no login take no notice of it.',
        },
      },
    },
  };
}

function operationOf(key: EndpointKey, endpoint: Endpoint): Json {
  const isForUsers = needsLogin(endpoint);
  const needsCsrf = isChanging(key) && !endpoint.raw;
  const status = endpoint.status ?? 200;
  const description = [
    endpoint.description,
    describeRole(endpoint),
    endpoint.query?.description,
    describeConfirmation(endpoint),
    describeFieldScopes(endpoint),
    describeLimit(limitOf(key)),
  ]
    .filter(Boolean)
    .join('\n\n');
  return {
    summary: endpoint.summary,
    ...(description !== '' && { description }),
    operationId: key
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, ''),
    ...((isForUsers || needsCsrf) && {
      security: [
        { ...(isForUsers && { session: [] }), ...(needsCsrf && { csrf: [] }) },
        ...(endpoint.scope ? [{ api_token: [endpoint.scope] }] : []),
      ],
    }),
    ...((endpoint.params || endpoint.query || needsCsrf) && {
      parameters: [
        ...parametersOf('path', endpoint.params),
        ...parametersOf('query', endpoint.query),
        ...(needsCsrf ? [shownUserParameter] : []),
      ],
    }),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
      },
    }),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        content: {
          [endpoint.csv ? 'text/csv' : 'application/json']: { schema: schemaOf(endpoint.response, 'output') },
        },
      },
      ...problemsOf(key, endpoint),
    },
  };
}

const roleFlags = {
  management: '`is_staff`, `is_promoter` or `is_superuser`',
  staff: '`is_staff` or `is_superuser`',
  superuser: '`is_superuser`',
} as const satisfies Record<Role, string>;

function describeRole({ role }: Pick<Endpoint, 'role'>): string {
  return role === undefined ? '' : `For users with ${roleFlags[role]}.`;
}

function needsLogin({ errors }: CallTraits): boolean {
  return errors.includes('session.required');
}

function isChanging(key: string): boolean {
  return !key.startsWith('GET ');
}

function limitOf(key: string): CallLimit | undefined {
  return key in endpoints ? findCallLimit(key as EndpointKey) : undefined; // checked by `in`
}

function describeConfirmation({ confirmed }: Pick<Endpoint, 'confirmed'>): string {
  if (confirmed === undefined) return '';
  const proof = 'the session must have proven within ten minutes who it is: by its login or `POST /custom/confirm/`';
  if (confirmed === 'by-content')
    return (
      `Where the call weakens a protection, ${proof}, and an API token needs the scope \`access:write\` as well. ` +
      'docs/confirmations.md says where it does.'
    );
  return confirmed === 'with-factor' ? `Where two-step login is on, ${proof}.` : `${proof.replace('the', 'The')}.`;
}

function describeLimit(limit: CallLimit | undefined): string {
  if (limit === undefined) return '';
  const counted = limit.per === 'account' ? 'one account' : 'one network: an IPv4 address, or a /64 of IPv6';
  return `At most ${limit.maxPerMinute} a minute for ${counted}.`;
}

function liveEventsOperation(): Json {
  return {
    summary: '实时通知（Server-Sent Events）',
    description:
      'Each `data:` line is one JSON object of this schema: which of the caller’s lists changed. Comments keep the line open.',
    operationId: 'get_api_user_events',
    security: [{ session: [] }],
    responses: {
      200: { description: 'OK', content: { 'text/event-stream': { schema: schemaOf(LiveEvent, 'output') } } },
      ...problemsOf('GET /api/user/events/', { errors: ['session.required'] }),
    },
  };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties as Json).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required as string[]).includes(name), // JSON Schema's own shape
    schema: property,
  }));
}

/** One reply for each status, with the codes of the call itself and of the common problems. */
function problemsOf(key: string, endpoint: CallTraits): Json {
  const common = commonProblems.flatMap(({ codes, appliesTo }) => (appliesTo(endpoint, key) ? codes : []));
  const codes = new Set<ErrorCode>([
    ...endpoint.errors,
    ...(endpoint.params ? [notFoundCode(endpoint)] : []),
    ...common,
    ...(endpoint.billing ? (['billing.off'] as const) : []),
  ]);
  const replies: Record<string, Json> = {};
  for (const [status, group] of Map.groupBy(codes, (code) => errorCatalogue[code].status)) {
    const [code, ...others] = group;
    replies[status] = others.length === 0 ? { $ref: `#/components/responses/${code}` } : problemReply(group);
  }
  return replies;
}

/** The replies that calls refer to. */
function sharedReplies(paths: Record<string, Record<string, Json>>): Json {
  const used = JSON.stringify(paths);
  const codes = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of the catalogue
  const isUsed = (code: ErrorCode) => used.includes(`"#/components/responses/${code}"`);
  return Object.fromEntries(codes.filter(isUsed).map((code) => [code, problemReply([code])]));
}

function problemReply(codes: ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\` ${errorCatalogue[code].zh}`).join('\n\n'),
    content: { 'application/problem+json': { schema: problemRef } },
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
