import { readFileSync } from 'node:fs';
import { type ApiScope, endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import type { HTTPMethods } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Db } from './db/driver.ts';
import { openTestDb } from './db/open-test-db.ts';
import { insertAccount } from './testing/apps/open-account-app.ts';
import { openProgram } from './testing/apps/open-program.ts';
import { openServerApp } from './testing/apps/open-server-app.ts';
import type { TestBrowser } from './testing/apps/open-test-app.ts';
import { insertPlan, insertProduct } from './testing/billing-fixtures.ts';
import { insertAppMember, insertCloudApp } from './testing/cloud-app-fixtures.ts';
import { insertDevice, insertMapping, insertServer } from './testing/device-fixtures.ts';

type ByContent = {
  [Key in EndpointKey]: (typeof endpoints)[Key] extends { confirmed: 'by-content' } ? Key : never;
}[EndpointKey];

const keys = Object.keys(endpoints) as EndpointKey[]; // the keys of the table
const endpointOf = (key: EndpointKey): Endpoint => endpoints[key];
const decided = readTable();
const required = 'session.confirm-required';

test('the page has every call that changes something or asks for a confirmation, as the contract has it', () => {
  const asks = { true: 'yes', 'with-factor': 'two-step', 'by-content': 'when', undefined: 'no' };
  const inContract = keys
    .filter((key) => {
      const { changes, confirmed } = endpointOf(key);
      return !key.startsWith('GET ') || changes === true || confirmed !== undefined;
    })
    .map((key) => [key, asks[`${endpointOf(key).confirmed}`]]);

  expect(decided.map((row) => row.join(' ')).toSorted()).toEqual(inContract.map((row) => row.join(' ')).toSorted());
});

test('without a confirmation every call of a started server asks for it where the page says so, and nowhere else', async () => {
  await using world = await openWorld();
  await world.turnOnTwoStep();
  await world.confirm(false);

  const asking: string[] = [];
  for (const [key] of decided) {
    const [method, path] = key.split(' ') as [HTTPMethods, string]; // "METHOD /path/"
    const url = path.replaceAll(/\{\w+\}/g, '999999');
    const { body } = await world.browser.call(method, url, method === 'GET' ? undefined : {});
    if (codeOf(body) === required) asking.push(key);
  }

  expect(asking).toEqual(decided.filter(([, asks]) => asks === 'yes' || asks === 'two-step').map(([key]) => key));
});

/** A call with this content: whether it asks; what it fails with although it is confirmed. */
type Attempt = { body?: object; of?: number; asks: boolean; failsWith?: string };
type Attempts = (world: World) => Promise<Attempt[]>;

const free = (body?: object, of?: number): Attempt => ({ ...given(body, of), asks: false });
const asking = (body?: object, of?: number): Attempt => ({ ...given(body, of), asks: true });
const given = (body?: object, of?: number) => ({ ...(body && { body }), ...(of !== undefined && { of }) });

const byContent: Record<ByContent, Attempts> = {
  async 'PATCH /api/user/routers/{id}/'({ db, device }) {
    const [open, own] = [await device(), await device()];
    await insertMapping(db, { ...open, prefix: 'open', policy: 'public' });
    await insertMapping(db, { ...own, prefix: 'own' });
    return [
      free({ name: 'x', enabled: false }, open.deviceId),
      asking({ enabled: true }, open.deviceId),
      asking({ allow_list: ['203.0.113.9'] }, open.deviceId),
      free({ allow_list: ['203.0.113.9'] }, open.deviceId),
      free({ allow_list: [] }, open.deviceId),
      free({ enabled: false }, own.deviceId),
      free({ enabled: true }, own.deviceId),
    ];
  },
  async 'PATCH /api/user/routers/'({ db, device }) {
    const [open, own] = [await device(), await device()];
    await insertMapping(db, { ...open, prefix: 'open-too', policy: 'password', passwordHash: 'x' });
    return [
      free({ ids: [open.deviceId, own.deviceId], enabled: false }),
      free({ ids: [own.deviceId], enabled: true }),
      asking({ ids: [open.deviceId, own.deviceId], enabled: true }),
      free({ ids: [open.deviceId], pinned: true }),
    ];
  },
  async 'POST /api/user/records/'({ device, listedDevice }) {
    const { deviceId: router } = await device();
    const listed = await listedDevice(await device());
    const mapping = (prefix: string) => ({ router, kind: 'http', prefix, target: 'http://192.168.1.10:5000' });
    return [
      free(mapping('new-a')),
      asking({ ...mapping('new-b'), policy: 'public' }),
      asking({ ...mapping('new-c'), policy: 'password', password: 'open sesame' }),
      asking({ ...mapping('new-d'), password: 'open sesame' }),
      asking({ ...mapping('new-e'), router: listed.deviceId }),
      free({ ...mapping('new-f'), router: listed.deviceId, policy: 'closed' }),
    ];
  },
  async 'PATCH /api/user/records/{id}/'({ db, userId, device, listedDevice }) {
    const home = await device();
    const id = await insertMapping(db, { ...home, prefix: 'changed' });
    const shared = await insertMapping(db, { ...home, prefix: 'shared' });
    const tls = await insertMapping(db, { ...home, kind: 'https', prefix: 'tls' });
    await db.insertInto('mappingMember').values({ mappingId: shared, contact: 'zhao@example.com' }).execute();
    const listed = await insertMapping(db, { ...(await listedDevice(await device())), prefix: 'listed' });
    const visited = await insertMapping(db, { ...home, prefix: 'visited' });
    await insertMarkedClient(db, { mappingId: visited, deviceId: home.deviceId, ownerId: userId });
    const elsewhere = { target: 'http://192.168.1.66:80' };
    const back = { target: 'http://192.168.1.10:5000' };
    return [
      free({ ...elsewhere, remark: 'x', closes_at: '2030-01-01T00:00:00Z' }, id),
      free({ enabled: false }, id),
      free({ enabled: true, closes_at: null }, id),
      asking({ policy: 'public' }, id),
      asking(back, id),
      asking({ prefix: 'changed-too' }, id),
      free({ closes_at: '2030-01-01T00:00:00Z' }, id),
      free({ closes_at: '2029-01-01T00:00:00Z', opens_at: '2026-02-01T00:00:00Z' }, id),
      free({ opens_at: '2026-03-01T00:00:00Z' }, id),
      asking({ closes_at: '2029-02-01T00:00:00Z' }, id),
      asking({ opens_at: '2026-02-01T00:00:00Z' }, id),
      asking({ closes_at: null }, id),
      free({ closes_at: '2030-01-01T00:00:00Z' }, id),
      free({ remark: 'y', pinned: true, policy: 'public' }, id),
      free({ enabled: false }, id),
      asking({ enabled: true }, id),
      free({ policy: 'owner' }, id),
      asking({ password: 'open sesame' }, id),
      asking({ policy: 'password' }, id),
      free({ policy: 'closed', ...elsewhere }, id),
      free({ policy: 'owner' }, id),
      free({ visit_log_days: 30 }, id),
      asking({ visit_log_days: 1 }, id),
      asking(elsewhere, shared),
      free({ opens_at: '2026-01-01T00:00:00Z' }, shared),
      asking({ opens_at: null }, shared),
      free({ policy: 'closed' }, shared),
      asking({ policy: 'owner' }, shared),
      free({ host_header: 'custom', host_name: 'nas.lan', visitor_fields: 'omit', tls_name: 'nas.lan' }, tls),
      free({ verify_tls: true }, tls),
      asking({ tls_name: 'other.lan' }, tls),
      asking({ prefix: 'tls-elsewhere' }, tls),
      asking({ verify_tls: false }, tls),
      asking(elsewhere, listed),
      free({ enabled: false }, listed),
      asking({ enabled: true }, listed),
      asking(elsewhere, visited),
      asking({ host_header: 'rewrite' }, shared),
      free({ answer_timeout_s: 3600, silence_timeout_s: 3600 }, shared),
    ];
  },
  async 'DELETE /api/user/records/{id}/'({ db, device }) {
    const home = await device();
    const [plain, tls, visited] = await insertToDelete(db, home, 'mapping');
    return [free({}, plain), asking({}, tls), asking({}, visited)];
  },
  async 'DELETE /api/user/routers/{id}/'({ db, device }) {
    const [plain, visited, guarded] = [await device(), await device(), await device()];
    await insertToDelete(db, visited, 'device');
    await insertProtected(db, guarded.deviceId);
    return [free({}, plain.deviceId), asking({}, visited.deviceId), asking({}, guarded.deviceId)];
  },
  async 'POST /api/user/routers/delete/'({ db, device }) {
    const [plain, visited, other] = [await device(), await device(), await device()];
    await insertToDelete(db, visited, 'devices');
    return [free({ ids: [plain.deviceId] }), asking({ ids: [other.deviceId, visited.deviceId] })];
  },
  async 'POST /api/user/routers/{id}/mapping_file/'({ db, device }) {
    const { deviceId } = await device();
    const file = (mapping: object, options: object = {}) => {
      const yaml = JSON.stringify({ version: 1, mappings: [{ prefix: 'file', ...mapping }], count: 1 });
      return { yaml, dry_run: false, ...options };
    };
    const none = { yaml: JSON.stringify({ version: 1, mappings: [], count: 0 }), dry_run: false, delete_others: true };
    const visited = await device();
    await insertToDelete(db, visited, 'by-file');
    const [target, other] = ['http://192.168.1.10:5000', 'http://192.168.1.66:80'];
    return [
      free(file({ target }), deviceId),
      free(file({ target, policy: 'public' }, { dry_run: true }), deviceId),
      asking(file({ target, policy: 'public' }), deviceId),
      free(file({ target, policy: 'public' }), deviceId),
      asking(file({ target: other, policy: 'public' }), deviceId),
      free(file({ target: other }), deviceId),
      free(none, deviceId),
      free({ ...none, dry_run: true }, visited.deviceId),
      asking(none, visited.deviceId),
    ];
  },
  async 'POST /api/user/cloud_apps/'({ db, device }) {
    const [plain, guarded] = [await device(), await device()];
    await insertProtected(db, guarded.deviceId);
    const app = { kind: 'ssh', name: 'x', host: '192.168.1.1' };
    return [
      asking({ ...app, router: plain.deviceId }),
      asking({ ...app, router: guarded.deviceId }),
      free({ ...app, router: guarded.deviceId, needs_second_factor: true }),
    ];
  },
  async 'PATCH /api/user/cloud_apps/{id}/'({ db, device, friendId }) {
    const [{ deviceId }, plain] = [await device(), await device()];
    const id = await insertProtected(db, deviceId);
    const beside = await insertCloudApp(db, { deviceId });
    const shared = await insertCloudApp(db, plain);
    await insertAppMember(db, { appId: shared, userId: friendId });
    const own = await insertCloudApp(db, plain);
    return [
      free({ name: 'x', enabled: false, needs_second_factor: true }, id),
      asking({ enabled: true }, id),
      asking({ host: '192.168.1.66' }, id),
      asking({ port: 2222 }, id),
      asking({ secrets: { password: 'x' } }, id),
      asking({ options: { username: 'root' } }, id),
      asking({ host_key: null }, id),
      asking({ needs_second_factor: false }, id),
      free({ needs_second_factor: true }, id),
      free({ host: '192.168.1.66', needs_second_factor: true }, beside),
      asking({ needs_second_factor: false }, beside),
      asking({ host: '192.168.1.1' }, beside),
      asking({ host: '192.168.1.66' }, shared),
      free({ enabled: false, name: 'y' }, shared),
      asking({ enabled: true }, shared),
      free({ secrets: { password: 'x' }, options: { username: 'root' } }, own),
      asking({ host: '192.168.1.66' }, own),
      free({ needs_second_factor: true }, id),
      asking({ options: { old_algorithms: true } }, own),
      free({ options: { old_algorithms: false } }, own),
      free({ enabled: false }, own),
      free({ enabled: true }, own),
    ];
  },
  async 'DELETE /api/user/cloud_apps/{id}/'({ db, device }) {
    const { deviceId } = await device();
    const id = await insertProtected(db, deviceId);
    return [asking({}, id), free({}, await insertCloudApp(db, { deviceId }))];
  },
  async 'POST /api/user/cloud_apps/{id}/sessions/'({ db, device }) {
    const { deviceId } = await device();
    const id = await insertProtected(db, deviceId);
    return [asking({}, id), free({}, await insertCloudApp(db, { deviceId }))];
  },
  async 'POST /api/user/cloud_apps/{id}/wake/'({ db, device }) {
    const { deviceId } = await device();
    const failsWith = 'cloud-app.mac-missing'; // what is looked at next
    const [id, plain] = [await insertProtected(db, deviceId), await insertCloudApp(db, { deviceId })];
    return [asking({}, id), free({}, plain)].map((attempt) => ({ ...attempt, failsWith }));
  },
  async 'PATCH /api/user/alerts/channels/{id}/'({ browser, confirm }) {
    await confirm(true);
    const target = { kind: 'webhook', url: 'https://hooks.example.com/a' };
    const events = ['new_login', 'device_offline'];
    const { body } = await browser.call('POST', '/api/user/alerts/channels/', { name: 'x', events, target });
    const { id } = body as { id: number };
    return [
      free({ name: 'y', events: [...events, 'device_online'] }, id),
      asking({ events: ['device_offline'] }, id),
      asking({ enabled: false }, id),
      free({ enabled: true }, id),
      asking({ target: { kind: 'webhook', url: 'https://hooks.example.com/b' } }, id),
    ];
  },
  async 'POST /api/user/enrolment_keys/'() {
    const key = (is_reusable: boolean, valid_hours: number) => ({ name: 'x', is_reusable, valid_hours });
    return [free(key(false, 1)), free(key(false, 24)), asking(key(false, 25)), asking(key(true, 1))];
  },
};

let shared: World;
beforeAll(async () => {
  shared = await openWorld();
  await shared.turnOnTwoStep();
  return async () => await shared[Symbol.asyncDispose]();
});

test.each(Object.entries(byContent))('%s asks where it weakens a protection', async (key, plan) => {
  const [method, path] = key.split(' ') as [HTTPMethods, string]; // "METHOD /path/"
  const { browser, confirm } = shared;
  const attempts = await plan(shared);
  const outcomes = [];
  for (const { body, of, failsWith } of attempts) {
    const send = async () => {
      const reply = await browser.call(method, path.replace('{id}', String(of)), body);
      return reply.status < 300 ? 'done' : codeOf(reply.body) === failsWith ? 'done' : reply.text;
    };
    await confirm(false);
    const first = await send();
    const asks = first.includes(required);
    await confirm(true);
    outcomes.push({ body, of, asks, outcome: asks ? await send() : first });
  }
  expect(outcomes).toEqual(attempts.map(({ body, of, asks }) => ({ body, of, asks, outcome: 'done' })));
});

test('an API token, which cannot confirm, needs access:write where a browser is asked', async () => {
  const { db, device, program } = shared;
  const { deviceId, ...home } = await device();
  const mappingId = await insertMapping(db, { ...home, deviceId, prefix: 'token' });
  await db.insertInto('mappingMember').values({ mappingId, contact: 'token@example.com' }).execute();
  const [plain, full] = [
    await program(['devices:write', 'mappings:write']),
    await program(['devices:write', 'mappings:write', 'access:write']),
  ];
  const calls = [
    ['PATCH', `/api/user/routers/${deviceId}/`, { enabled: true }],
    ['PATCH', '/api/user/routers/', { ids: [deviceId], enabled: true }],
    ['PATCH', `/api/user/records/${mappingId}/`, { target: 'http://192.168.1.66:80' }],
    ['PATCH', `/api/user/records/${mappingId}/`, { visit_log_days: 1 }],
  ] as const;
  for (const [method, url, body] of calls) {
    await db.updateTable('device').set({ enabled: false }).where('id', '=', deviceId).execute();
    await db.updateTable('mapping').set({ visitLogDays: 30 }).where('id', '=', mappingId).execute();
    expect((await plain.call(method, url, body)).body, url).toMatchObject({ code: 'session.scope' });
    expect((await full.call(method, url, body)).status, url).toBe(200);
  }
  expect((await plain.call('PATCH', `/api/user/routers/${deviceId}/`, { enabled: false })).status).toBe(200);
});

type World = Awaited<ReturnType<typeof openWorld>>;

/** A started server, and the browser of a superuser on it. */
async function openWorld() {
  await using parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const app = parts.use(await openServerApp(t));
  const { db } = t;
  const userId = await insertAccount(db, { username: 'li', isSuperuser: true });
  const friendId = await insertAccount(db, { username: 'wang' });
  const browser: TestBrowser = await app.browserOf('li');
  const serverId = await insertServer(db);
  const productId = await insertProduct(db);
  const opened = parts.move();
  return {
    ...{ db, browser, userId, friendId },
    async listedDevice(device: { serverId: number; deviceId: number }) {
      const allowList = ['203.0.113.0/24'];
      await db.updateTable('device').set({ allowList }).where('id', '=', device.deviceId).execute();
      return device;
    },
    async device() {
      const deviceId = await insertDevice(db, { userId, serverId });
      await insertPlan(db, { userId, deviceId, productId });
      return { serverId, deviceId };
    },
    program: async (scopes: ApiScope[]) => await openProgram({ db, app }, userId, scopes),
    async confirm(isConfirmed: boolean) {
      const confirmedUntil = isConfirmed ? new Date(Date.now() + 600_000) : new Date(0);
      await db.updateTable('session').set({ confirmedUntil }).execute();
    },
    async turnOnTwoStep() {
      const secretSealed = Buffer.alloc(1);
      await db.insertInto('totp').values({ userId, secretSealed, confirmedAt: new Date() }).execute();
    },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

async function insertProtected(db: Db, deviceId: number): Promise<number> {
  const id = await insertCloudApp(db, { deviceId });
  await db.updateTable('cloudApp').set({ needsSecondFactor: true }).where('id', '=', id).execute();
  return id;
}

async function insertMarkedClient(db: Db, of: { mappingId: number; deviceId: number; ownerId: number }): Promise<void> {
  const proof = { ...of, host: '', visitorIp: '203.0.113.9', userAgent: '', kind: 'ip' as const };
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db
    .insertInto('verification')
    .values({ ...proof, expiresAt, grantedBy: 'mark_client' })
    .execute();
}

/** Mappings of which the second one checks a certificate, and the third one has a visit in its log. */
async function insertToDelete(db: Db, home: { serverId: number; deviceId: number }, prefix: string): Promise<number[]> {
  const plain = await insertMapping(db, { ...home, prefix });
  const tls = await insertMapping(db, { ...home, prefix: `${prefix}-tls`, kind: 'https' });
  await db.updateTable('mapping').set({ verifyTls: true }).where('id', '=', tls).execute();
  const mappingId = await insertMapping(db, { ...home, prefix: `${prefix}-visited` });
  const visit = {
    ...{ mappingId, at: new Date(), ms: 1, ip: '203.0.113.9', place: '', who: 'public' as const, whoName: '' },
    ...{ outcome: 'served' as const, reason: '', method: 'GET', path: '/', userAgent: '', status: 200 },
  };
  await db
    .insertInto('visit')
    .values({ ...visit, bytesIn: 1, bytesOut: 1 })
    .execute();
  return [plain, tls, mappingId];
}

/** The calls of docs/confirmations.md with what they ask: yes, two-step, when or no. */
function readTable(): [string, string][] {
  const page = readFileSync(new URL('../../../docs/confirmations.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `([A-Z]+ \S+)` \| (yes|two-step|no|when)\b/gm)].map(([, key = '', asks = '']) => [
    key,
    asks,
  ]);
}

function codeOf(body: unknown): string | undefined {
  return (body as { code?: string } | undefined)?.code;
}
