import { STATUS_CODES } from 'node:http';
import {
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
import { shownUserParameter } from './shown-user.ts';

type Json = Record<string, unknown>;

const apiDescription =
  'JSON over HTTP. Errors are problem details (RFC 9457). What they say to people is Chinese, ' +
  'or English for clients whose `Accept-Language` prefers it; `Content-Language` names which.';

const problemRef = { $ref: '#/components/schemas/Problem' };

/** The OpenAPI document of every call in the contract, made from the schemas that also check requests and replies. */
export function buildOpenApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const keys = Object.keys(endpoints) as EndpointKey[]; // the keys of the table
  for (const key of keys) {
    const endpoint: Endpoint = endpoints[key];
    const [method = '', path = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = operationOf(key, endpoint);
  }
  // The one call that is not JSON, so it stands outside the contract's table.
  paths['/api/user/events/'] = { get: liveEventsOperation() };
  return {
    openapi: '3.1.0',
    info: { title: '通途 API', version, description: apiDescription },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
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
  const isReading = key.startsWith('GET ');
  const needsLogin = endpoint.errors.includes('session.required');
  const needsCsrf = !isReading && !endpoint.raw;
  const status = endpoint.status ?? 200;
  const limit = findCallLimit(key);
  const description = [
    describeRole(endpoint),
    describeConfirmation(endpoint),
    describeFieldScopes(endpoint),
    describeLimit(limit),
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
    ...((needsLogin || needsCsrf) && {
      security: [
        { ...(needsLogin && { session: [] }), ...(needsCsrf && { csrf: [] }) },
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
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } },
    }),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        content: { 'application/json': { schema: schemaOf(endpoint.response, 'output') } },
      },
      ...problemsOf(endpoint, { needsCsrf, limit }),
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

function describeConfirmation({ confirmed }: Pick<Endpoint, 'confirmed'>): string {
  if (confirmed === undefined) return '';
  const proof = 'the session must have proven within ten minutes who it is: by its login or `POST /custom/confirm/`';
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
      ...problemsOf({ errors: ['session.required'] }, { needsCsrf: false }),
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

/** One reply per status, with the codes it may carry. */
function problemsOf(
  endpoint: Pick<Endpoint, 'params' | 'query' | 'body' | 'errors' | 'raw' | 'scope'>,
  { needsCsrf, limit }: { needsCsrf: boolean; limit?: CallLimit | undefined },
): Json {
  const codes = new Set<ErrorCode>(endpoint.errors);
  if (endpoint.params || endpoint.query || endpoint.body) codes.add('request.invalid');
  if (endpoint.raw || limit) codes.add('request.cross-site');
  if (limit) codes.add('request.too-many');
  if (needsCsrf) codes.add('session.csrf').add('session.changed');
  if (endpoint.scope) codes.add('api-token.invalid').add('session.scope');
  const replies: Record<string, Json> = {};
  for (const [status, group] of Map.groupBy(codes, (code) => errorCatalogue[code].status)) {
    replies[status] = {
      description: group.map((code) => `\`${code}\` ${errorCatalogue[code].zh}`).join('\n\n'),
      content: { 'application/problem+json': { schema: problemRef } },
    };
  }
  return replies;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
