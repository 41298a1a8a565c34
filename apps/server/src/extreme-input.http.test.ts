import { endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import type { HTTPMethods } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestDb, type TestDb } from './db/open-test-db.ts';
import { openServerApp, type ServerApp } from './testing/apps/open-server-app.ts';
import type { TestBrowser } from './testing/apps/open-test-app.ts';
import { insertProduct } from './testing/billing-fixtures.ts';
import { insertDevice, insertMapping, insertUser } from './testing/device-fixtures.ts';
import { createOneOfEach } from './testing/installation/owned-objects.ts';

type Schema = z.core.JSONSchema.JSONSchema;
type Part = 'query' | 'body';
/** A place in an input, and what is put there. */
type Extreme = { path: readonly string[]; value: unknown };

/** One of them is right for nearly every text with a shape. */
const samples = [
  ...['nas', 'http://192.168.1.10:5000', 'someone@example.com', '13912345678', '123456', '2026-11-28T08:00:00Z'],
  ...['2026-11', '2026-11-28', '08:30', '', 'AAAAA-BBBBB-CCCCC-DDDDD', 'AbCdEf12', 'https://example.com/hook'],
  ...['a'.repeat(22), 'a'.repeat(43), 'a'.repeat(12), '0'.repeat(64), 'd8:bb:c1:0a:2f:e4', 'SCTaaaaaaaaaaaa'],
  ...['A'.repeat(12), 'v4-correct horse staple'],
];
/** For hundreds of calls, one after the other, also on a machine that does much else. */
const TIMEOUT_MS = 180_000;
/** What PostgreSQL cannot store, and half a character. */
const texts = ['\u0000', '\uD800'];

/** Right inputs for calls with rules that JSON Schema does not say. */
const announcement = { title: 'a', detail: 'a', url: '', display: true, starts_at: null, ends_at: null };
const uuid = '0190d2f4-7c1a-7000-8000-000000000001';
const given: Partial<Record<EndpointKey, object>> = {
  'GET /custom/router_info/': { uid: '0123456789ab' },
  'POST /api/user/records/': { router: 1, kind: 'tcp', port: 20_001, target: 'tcp://192.168.1.10:22', policy: 'owner' },
  'PATCH /api/user/records/{id}/': { remark: 'a' },
  'POST /api/announcement/manage/': announcement,
  'PATCH /api/announcement/manage/{id}/': { ...announcement, revision: 1 },
  'GET /captcha/': { purpose: 'login' },
  'POST /api/manage/site_entries/': { ...announcement, kind: 'banner', qr_text: '', position: 1 },
  'PATCH /api/manage/site_entries/{id}/': { ...announcement, qr_text: '', position: 1, revision: 1 },
  'POST /api/user/cloud_apps/': { router: 1, kind: 'ssh', name: 'a', host: '192.168.1.10' },
  'PATCH /api/user/cloud_apps/{id}/': { name: 'a' },
  'POST /api/user/product/orders/': { product_id: 1, uuid_from_client: uuid },
  'POST /api/user/product/bulkorders/': { bulk_product_id: 1, uuid_from_client: uuid, quantity: 1 },
  'GET /api/site/players/get_ip_list/': { pub_address: '203.0.113.7' },
  'POST /api/verify/phone/rebind/': { phone: '13912345678', code: '123456', password: 'a' },
};

let t: TestDb;
let server: ServerApp;
let browser: TestBrowser;
beforeAll(async () => {
  t = await openTestDb();
  server = await openServerApp(t);
  browser = await server.staffBrowser();
  await fill();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

test(
  'no number and no text in a request makes the server fail',
  async () => {
    const failed: string[] = [];
    const unreached: string[] = [];
    for (const [key, endpoint] of Object.entries<Endpoint>(endpoints) as [EndpointKey, Endpoint][]) {
      for (const part of ['query', 'body'] as const) {
        const schema = endpoint[part];
        if (schema === undefined) continue;
        const inputs = inputsOf(schema, given[key]);
        if (inputs.length === 0) unreached.push(key);
        for (const input of inputs) {
          const { status, text } = await send(key, part, input);
          if (status === 500) failed.push(`${key} ${JSON.stringify(input)} ${text}`);
        }
      }
    }
    expect(failed).toEqual([]);
    expect(unreached).toEqual([]);
  },
  TIMEOUT_MS,
);

async function send(key: EndpointKey, part: Part, input: unknown) {
  const [method, path] = key.split(' ') as [HTTPMethods, string]; // the table's keys are "METHOD /path/"
  const url = path.replaceAll(/\{\w+\}/g, '1');
  await t.db.deleteFrom('rateCount').execute();
  await t.db.deleteFrom('failedAttempt').execute();
  const call = async () =>
    part === 'body'
      ? await browser.call(method, url, input)
      : await browser.call(method, `${url}?${String(new URLSearchParams(input as Record<string, string>))}`);
  const reply = await call();
  if (!reply.text.includes('"session.required"')) return reply;
  // This call, or the one before it, ended the session.
  browser = await server.browserOf('staff');
  return await call();
}

/** Inputs that the schema takes, with the largest and smallest numbers, and with texts that break things. */
function inputsOf(schema: z.ZodType, base: object | undefined): unknown[] {
  const isRight = (input: unknown) => schema.safeParse(input).success;
  return alternatives(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).flatMap((alternative) => {
    const sample = base ?? sampleOf(alternative);
    const extremes = extremesOf(alternative);
    const numbers = extremes.filter(({ value }) => typeof value === 'number');
    // A text in all fields at once that take it.
    const withText = (text: string) =>
      extremes
        .filter(({ value }) => value === text)
        .map(
          ({ path }) =>
            (input: unknown) =>
              withValue(input, path, text),
        )
        .reduce((input, change) => (isRight(change(input)) ? change(input) : input), sample);
    return [sample, ...numbers.map(({ path, value }) => withValue(sample, path, value)), ...texts.map(withText)].filter(
      isRight,
    );
  });
}

function alternatives(schema: Schema): Schema[] {
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  return branches === undefined ? [schema] : branches.flatMap(alternatives);
}

function sampleOf(schema: Schema): unknown {
  const [first = {}] = alternatives(schema);
  if (first.const !== undefined) return first.const;
  if (first.enum !== undefined) return first.enum[0];
  if (first.type === 'object')
    return Object.fromEntries(fieldsOf(first).map(([name, field]) => [name, sampleOf(field)]));
  if (first.type === 'array') return first.items === undefined ? [] : [sampleOf(first.items as Schema)];
  if (first.type === 'integer' || first.type === 'number') return Math.max(1, first.minimum ?? 1);
  if (first.type === 'boolean') return true;
  if (first.type === 'null') return null;
  return samples.find((text) => isOfShape(text, first));
}

function fieldsOf(schema: Schema): [string, Schema][] {
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>);
}

function isOfShape(text: string, { minLength = 0, maxLength = 1e9, pattern, format }: Schema): boolean {
  if (format === 'uri') return text.startsWith('https://');
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern ?? '', 'u').test(text);
}

function extremesOf(schema: Schema, path: readonly string[] = []): Extreme[] {
  return alternatives(schema).flatMap((one): Extreme[] => {
    if (one.type === 'object') return fieldsOf(one).flatMap(([name, field]) => extremesOf(field, [...path, name]));
    if (one.type === 'array') return one.items === undefined ? [] : extremesOf(one.items as Schema, [...path, '0']);
    if (one.type === 'integer' || one.type === 'number')
      return [one.maximum, one.minimum].map((value) => ({ path, value }));
    return one.const === undefined && one.enum === undefined ? texts.map((value) => ({ path, value })) : [];
  });
}

function withValue(input: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(input)) return [withValue(input[0], rest, value)];
  const fields = (input ?? {}) as Record<string, unknown>; // made by sampleOf
  return { ...fields, [name]: withValue(fields[name], rest, value) };
}

/** One object of each kind, most with the id 1, so that the calls find something. */
async function fill(): Promise<void> {
  const { id: userId } = await t.db
    .selectFrom('userAccount')
    .select('id')
    .where('username', '=', 'staff')
    .executeTakeFirstOrThrow();
  const { id: serverId } = await t.db.selectFrom('server').select('id').executeTakeFirstOrThrow();
  const deviceId = await insertDevice(t.db, { userId, serverId });
  const mappingId = await insertMapping(t.db, { deviceId, serverId, prefix: 'mine' });
  const other = await insertDevice(t.db, { userId: await insertUser(t.db, 'wang'), serverId });
  const sharedMappingId = await insertMapping(t.db, { deviceId: other, serverId, prefix: 'shared' });
  const mark = { word: 'own', address: '203.0.113.7' };
  await createOneOfEach(t.db, { owner: { userId, deviceId, mappingId }, sharedMappingId, mark });
  await t.db.deleteFrom('passkey').execute(); // with one, a login has a second step
  await insertProduct(t.db);
}
