import { endpoints, errorCatalogue, findCallLimit, type Endpoint, type EndpointKey } from '@tongtu/contract';
import type { HTTPMethods } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestDb, type TestDb } from './db/open-test-db.ts';
import { openProgram } from './testing/apps/open-program.ts';
import type { TestBrowser } from './testing/apps/open-test-app.ts';
import { openServerApp, type ServerApp } from './testing/apps/open-server-app.ts';

type Response = { description: string; content: Record<string, unknown> };
type Operation = { requestBody?: object; responses: Record<string, Response | { $ref: string }> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
};
type Caller = Pick<TestBrowser, 'call'>;
type Reply = Awaited<ReturnType<Caller['call']>>;
type Attempt = {
  name: string;
  caller: Caller;
  url: string;
  body?: unknown;
  headers?: Record<string, string | undefined>;
};

let t: TestDb;
let server: ServerApp;
let document: Document;
beforeAll(async () => {
  t = await openTestDb();
  server = await openServerApp(t);
  document = (await server.browser().call('GET', '/api/openapi.json')).body as Document;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

const overLimit = `"${'x'.repeat(1024 * 1024)}"`;

// About 2600 requests.
test('every answer to a bad request is documented at the call', { timeout: 300_000 }, async () => {
  const staff = await server.staffBrowser();
  const { id } = await t.db
    .selectFrom('userAccount')
    .select('id')
    .where('username', '=', 'staff')
    .executeTakeFirstOrThrow();
  const app = { browser: () => server.browser() };
  const callers = {
    staff,
    anonymous: server.browser(),
    program: await openProgram({ db: t.db, app }, id, ['records:read']),
  };

  const undocumented: string[] = [];
  const framework: Record<string, string[]> = {};
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method, path] = key.split(' ') as [HTTPMethods, string]; // the table's keys
    const operation = document.paths[path]![method.toLowerCase()]!;
    await t.db.deleteFrom('rateCount').execute();
    for (const { name, caller, url, body, headers } of attemptsAt(key, endpoint, callers)) {
      const reply = await caller.call(method, url, body, { 'content-type': 'application/json', ...headers });
      if (!isDocumented(responseOf(document, operation, reply.status), reply))
        undocumented.push(`${key}, ${name}: ${reply.status} ${reply.text.slice(0, 200)}`);
      if ([400, 413, 415].includes(reply.status)) (framework[key] ??= []).push(name);
    }
  }

  expect(undocumented).toEqual([]);
  // Proves that the attempts reached the framework's own checks.
  const changing = Object.keys(endpoints).filter((key) => !key.startsWith('GET '));
  for (const key of changing)
    expect(framework[key], key).toEqual(expect.arrayContaining(['no JSON', 'text', 'over 1 MB']));
});

test('every call with a limit documents that it may be reached', async () => {
  const keys = Object.keys(endpoints) as EndpointKey[]; // the table's keys
  const limited = keys.filter((key) => findCallLimit(key) !== undefined);

  expect(limited.length).toBeGreaterThan(30);
  for (const key of limited) {
    const [method = '', path = ''] = key.split(' ');
    const operation = document.paths[path]![method.toLowerCase()]!;
    expect(responseOf(document, operation, 429)?.description, key).toContain('`request.too-many`');
  }
});

test('every call with a body documents why a body may be refused', async () => {
  const withBody = Object.values(document.paths).flatMap((path) =>
    Object.values(path).filter(({ requestBody }) => requestBody),
  );

  expect(withBody.length).toBeGreaterThan(30);
  for (const operation of withBody) {
    for (const status of [400, 403, 413, 415, 422]) {
      expect(responseOf(document, operation, status)?.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      });
    }
  }
});

/** Bad requests of every kind, by several callers. */
function attemptsAt(
  key: string,
  { params, query, body }: Endpoint,
  { staff, anonymous, program }: { staff: Caller; anonymous: Caller; program: Caller },
): Attempt[] {
  const [, path = ''] = key.split(' ');
  const url = path.replaceAll(/\{\w+\}/g, '999999');
  const bodies: Omit<Attempt, 'caller' | 'url'>[] = [
    { name: 'no JSON', body: '{"a":' },
    { name: 'a prototype', body: '{"__proto__":{}}' },
    { name: 'text', body: 'x', headers: { 'content-type': 'text/plain' } },
    { name: 'a body without a type', body: 'x', headers: { 'content-type': undefined } },
    { name: 'over 1 MB', body: overLimit },
    ...refusedOnce(
      body,
      [
        { name: 'a list', body: [] },
        { name: 'an unknown field', body: { 'no such field': 1 } },
        ...(body === undefined ? [] : wrongBodies(body)),
      ],
      (wrong) => wrong.body,
    ),
  ];
  const callers = { staff, anonymous, program };
  return [
    ...Object.entries(callers).map(([name, caller]) => ({ name: `nothing by ${name}`, caller, url })),
    { name: 'a wrong token', caller: staff, url, headers: { authorization: 'Bearer x' } },
    {
      name: 'another origin',
      caller: staff,
      url,
      headers: { origin: 'http://nas.localhost', 'sec-fetch-site': 'same-site' },
    },
    { name: 'another page', caller: staff, url, headers: { 'x-user-id': '999999' } },
    { name: 'no CSRF header', caller: staff, url, headers: { 'x-csrftoken': undefined } },
    ...(key.startsWith('GET ') ? [] : bodies.map((wrong) => ({ caller: staff, url, ...wrong }))),
    ...(params
      ? [...wrongIds(params, path), '%zz', 'x'.repeat(300)].map((id) => ({
          name: `id ${id.slice(0, 10)}`,
          caller: staff,
          url: path.replaceAll(/\{\w+\}/g, id),
        }))
      : []),
    ...(query ? wrongQueries(query).map((text) => ({ name: `?${text}`, caller: staff, url: `${url}?${text}` })) : []),
  ];
}

/** Without all but the first of those that the schema refuses: what it refuses gets one and the same answer. */
function refusedOnce<Item>(
  schema: z.ZodType | undefined,
  items: readonly Item[],
  input: (item: Item) => unknown,
): Item[] {
  const isAccepted = (item: Item) => schema === undefined || schema.safeParse(input(item)).success;
  const refused = items.find((item) => !isAccepted(item));
  return items.filter((item) => item === refused || isAccepted(item));
}

function wrongIds(schema: z.ZodType, path: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return refusedOnce(schema, ['abc', '0', '%00'], (id) =>
    Object.fromEntries(names.map((name) => [name, decodeURIComponent(id)])),
  );
}

/** Bodies in which every field has a value of a wrong type or out of range. */
function wrongBodies(schema: z.ZodType): { name: string; body: unknown }[] {
  const names = fieldsOf(schema);
  return [null, -1, '', 'x'.repeat(5000), [{}], { x: null }].map((value) => ({
    name: `fields ${JSON.stringify(value).slice(0, 20)}`,
    body: Object.fromEntries(names.map((name) => [name, value])),
  }));
}

function wrongQueries(schema: z.ZodType): string[] {
  const queries = ['-1', '', 'x'.repeat(5000), '%00'].map((value) =>
    fieldsOf(schema)
      .map((name) => `${name}=${value}`)
      .join('&'),
  );
  return refusedOnce(schema, queries, (text) => Object.fromEntries(new URLSearchParams(text)));
}

function fieldsOf(schema: z.ZodType): string[] {
  const { properties, anyOf, oneOf } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const options = [{ properties }, ...(anyOf ?? []), ...(oneOf ?? [])] as { properties?: object }[]; // JSON Schema's own shape
  return [...new Set(options.flatMap((option) => Object.keys(option.properties ?? {})))];
}

function responseOf({ components }: Document, { responses }: Operation, status: number): Response | undefined {
  const response = responses[status];
  if (response === undefined || !('$ref' in response)) return response;
  return components.responses[response.$ref.replace('#/components/responses/', '')];
}

function isDocumented(response: Response | undefined, { status, headers, body }: Reply): boolean {
  if (response === undefined || status < 400) return response !== undefined;
  const { code } = body as { code: keyof typeof errorCatalogue };
  const isProblem = String(headers['content-type']).startsWith('application/problem+json');
  return isProblem && errorCatalogue[code].status === status && response.description.includes(`\`${code}\``);
}
