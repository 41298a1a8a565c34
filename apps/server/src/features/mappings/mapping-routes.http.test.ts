import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp } from '../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from './mapping-routes.ts';
import { mappingDeps } from '../../testing/mapping-deps.ts';

const records = '/api/user/records/';

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerMappingRoutes(app, { ...mappingDeps, db }));
}

function body(router: number, changes: object = {}) {
  return {
    router,
    kind: 'http',
    prefix: 'nas',
    target: 'http://192.168.1.10:5000',
    policy: 'owner',
    remark: '相册',
    ...changes,
  };
}

test('relays are sent a mapping and its changes after the commit and before the answer', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  const sent: unknown[] = [];
  const whenSentToRelays = async (): Promise<void> => {
    sent.push(await t.db.selectFrom('mapping').select(['deviceId', 'remark']).executeTakeFirst());
  };
  await using app = await openTestApp(t.db, (on) =>
    registerMappingRoutes(on, { ...mappingDeps, db: t.db, whenSentToRelays }),
  );
  const browser = await app.browserOf(userId);
  const { body: made } = await browser.call('POST', records, body(deviceId));
  expect(sent).toEqual([{ deviceId, remark: '相册' }]);
  await browser.call('PATCH', `${records}${(made as { id: number }).id}/`, { remark: '照片' });
  expect(sent).toEqual([expect.anything(), { deviceId, remark: '照片' }]);
});

test('a mapping is created, shown with its public address, and announced to relays and consoles', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const received: string[] = [];
  const both = Promise.withResolvers<void>();
  const receive = (payload: string): void => void (received.push(payload) === 2 && both.resolve());
  await t.listen('device_changed', receive, () => undefined);
  await t.listen('live', receive, () => undefined);

  const reply = await browser.call('POST', records, body(deviceId));

  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    frpc_proxy: null,
    id: expect.any(Number),
    router: deviceId,
    kind: 'http',
    prefix: 'nas',
    custom_domain: null,
    dns: null,
    port: null,
    domain: 'nas.localhost',
    url: 'http://nas.localhost:8080',
    target: 'http://192.168.1.10:5000',
    host_header: 'keep',
    host_name: '',
    visitor_fields: 'send',
    forwarded_proto: 'follow_host',
    origin_fields: 'follow_host',
    tls_name: '',
    answer_timeout_s: 60,
    silence_timeout_s: 3_600,
    visit_log_days: 0,
    verify_tls: false,
    tls_passthrough: false,
    proxy_protocol: false,
    policy: 'owner',
    has_password: false,
    over_plan_limit: false,
    opens_at: null,
    closes_at: null,
    hours: null,
    remark: '相册',
    enabled: true,
    pinned: false,
    certificate: null,
    usage_24h: { bytes_in: 0, bytes_out: 0, requests: 0 },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  await both.promise;
  expect(received.map((payload) => JSON.parse(payload))).toEqual(
    expect.arrayContaining([
      { deviceId, version: expect.any(String) },
      { userId, topic: 'devices' },
    ]),
  );
});

test('a device has at most 500 mappings, also with concurrent calls', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await sql`
    insert into mapping (device_id, server_id, kind, prefix, target_host, target_port, policy)
    select device.id, server_id, 'http', 'm' || n, '127.0.0.1', 80, 'owner'
    from device, generate_series(1, 495) as n where device.id = ${deviceId}`.execute(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const replies = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, n) => await browser.call('POST', records, body(deviceId, { prefix: `x${n}` })),
    ),
  );

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(replies.find(({ status }) => status !== 201)?.body).toMatchObject({ code: 'mapping.limit-reached' });
});

test('the default policy is owner', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const { policy: _policy, remark: _remark, ...required } = body(deviceId);

  const reply = await browser.call('POST', records, required);

  expect(reply).toMatchObject({ status: 201, body: { policy: 'owner', remark: '' } });
});

const invalidFields: [what: string, changes: object, field: string][] = [
  ['an unknown field', { admin: true }, 'admin'],
  ['a number as prefix', { prefix: 5 }, 'prefix'],
  ['a non-ASCII prefix', { prefix: '相册' }, 'prefix'],
  ['a Cyrillic look-alike', { prefix: 'аpple' }, 'prefix'],
  ['an upper-case prefix', { prefix: 'NAS' }, 'prefix'],
  ['a prefix with a dot', { prefix: 'a.b' }, 'prefix'],
  ['a prefix that begins with a hyphen', { prefix: '-nas' }, 'prefix'],
  ['a punycode prefix', { prefix: 'xn--fiq' }, 'prefix'],
  ['an over-long prefix', { prefix: 'a'.repeat(64) }, 'prefix'],
  ['an empty prefix', { prefix: '' }, 'prefix'],
  ['an unknown protocol', { kind: 'ftp' }, 'kind'],
  ['a kind that contradicts the target', { kind: 'https' }, 'kind'],
  ['a target with a path', { target: 'http://192.168.1.10/admin' }, 'target'],
  ['a target with a password', { target: 'http://a:b@192.168.1.10' }, 'target'],
  ['a target without protocol', { target: '192.168.1.10' }, 'target'],
  ['a port of 0', { target: 'http://192.168.1.10:0' }, 'target'],
  ['a port of 65536', { target: 'http://192.168.1.10:65536' }, 'target'],
  ['an unknown policy', { policy: 'open' }, 'policy'],
  ['an over-long remark', { remark: '长'.repeat(101) }, 'remark'],
  ['a remark with control characters', { remark: 'a\u0000b' }, 'remark'],
  ['an array as router', { router: [1] }, 'router'],
  ['a huge router id', { router: 2_147_483_648 }, 'router'],
];

test('an invalid field is refused at its field', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  for (const [what, changes, field] of invalidFields) {
    const reply = await browser.call('POST', records, body(deviceId, changes));
    expect(reply, what).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
    expect(Object.keys((reply.body as { errors: object }).errors), what).toEqual([field]);
  }
  expect(await t.db.selectFrom('mapping').select('id').execute()).toEqual([]);
});

test('a reserved prefix and a public target have their own errors', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const reserved = await browser.call('POST', records, body(deviceId, { prefix: 'adm1n' }));
  const outside = await browser.call('POST', records, body(deviceId, { target: 'http://8.8.8.8' }));

  expect(reserved).toMatchObject({
    status: 422,
    body: { code: 'mapping.prefix-reserved', errors: { prefix: [expect.any(String)] } },
  });
  expect(outside).toMatchObject({
    status: 422,
    body: { code: 'mapping.target-not-private', errors: { target: [expect.any(String)] } },
  });
});

test('of 20 users who claim one prefix concurrently exactly one gets it', async () => {
  await using t = await openTestDb();
  const { serverId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const callers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const userId = await insertUser(t.db, `user${index}`);
      return { browser: await app.browserOf(userId), deviceId: await insertDevice(t.db, { userId, serverId }) };
    }),
  );

  const replies = await Promise.all(
    callers.map(({ browser, deviceId }) => browser.call('POST', records, body(deviceId))),
  );

  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
  const refused = replies.filter((reply) => reply.status === 409);
  expect(refused).toHaveLength(19);
  expect(refused[0]?.body).toMatchObject({ code: 'mapping.prefix-taken', errors: { prefix: [expect.any(String)] } });
});

test("another user's device and mapping are answered like unknown ones", async () => {
  await using t = await openTestDb();
  const { serverId, deviceId } = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  const otherUserId = await insertUser(t.db, 'zhao');
  await using app = await openApp(t.db);
  const browser = await app.browserOf(otherUserId);

  const made = await browser.call('POST', records, body(deviceId, { prefix: 'mine' }));
  expect(made).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  for (const id of [String(mappingId), '999999', '0', '-1', '1.5', 'abc', '2147483648', '1e3x']) {
    const changed = await browser.call('PATCH', `${records}${id}/`, { remark: 'hacked' });
    const removed = await browser.call('DELETE', `${records}${id}/`);
    expect(changed, id).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
    expect(removed, id).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
  }
  const kept = await t.db.selectFrom('mapping').select(['id', 'remark']).execute();
  expect(kept).toEqual([{ id: mappingId, remark: '' }]);
});

test('nothing is changed without a login or the CSRF header', async () => {
  await using t = await openTestDb();
  const { userId, serverId, deviceId } = await insertHome(t.db);
  const id = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  await using app = await openApp(t.db);
  const owner = await app.browserOf(userId);
  const calls = [
    ['POST', records, body(deviceId, { prefix: 'other' })],
    ['PATCH', `${records}${id}/`, { remark: 'x' }],
    ['DELETE', `${records}${id}/`, undefined],
  ] as const;

  for (const [method, url, sent] of calls) {
    expect(await app.browser().call(method, url, sent)).toMatchObject({
      status: 401,
      body: { code: 'session.required' },
    });
    const forged = await owner.call(method, url, sent, { 'x-csrftoken': undefined });
    expect(forged).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  }
  expect(await t.db.selectFrom('mapping').select(['prefix', 'remark']).execute()).toEqual([
    { prefix: 'nas', remark: '' },
  ]);
});

test('an owner changes single fields, and a target also sets the kind', async () => {
  await using t = await openTestDb();
  const { userId, serverId, deviceId } = await insertHome(t.db);
  const id = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const change = async (patch: object) => (await browser.call('PATCH', `${records}${id}/`, patch)).body;

  expect(await change({ target: 'https://nas.local' })).toMatchObject({
    kind: 'https',
    target: 'https://nas.local',
    prefix: 'nas',
  });
  expect(await change({ enabled: false, policy: 'public' })).toMatchObject({ enabled: false, policy: 'public' });
  expect(await change({ prefix: 'photos' })).toMatchObject({ domain: 'photos.localhost', enabled: false });
  expect(await change({})).toMatchObject({ prefix: 'photos', target: 'https://nas.local' });
  expect(await change({ router: 5 })).toMatchObject({ code: 'request.invalid', errors: { router: ['没有这个字段'] } });
  expect(await change({ kind: 'http', target: 'https://nas.local' })).toMatchObject({ code: 'request.invalid' });
  expect(await change({ target: 'http://8.8.8.8' })).toMatchObject({ code: 'mapping.target-not-private' });
  expect(await change({ prefix: 'www' })).toMatchObject({ code: 'mapping.prefix-reserved' });
});

test('a taken prefix stays with its owner when another mapping is renamed to it', async () => {
  await using t = await openTestDb();
  const { userId, serverId, deviceId } = await insertHome(t.db);
  await insertMapping(t.db, { deviceId, serverId, prefix: 'taken' });
  const id = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const reply = await browser.call('PATCH', `${records}${id}/`, { prefix: 'taken' });

  expect(reply).toMatchObject({ status: 409, body: { code: 'mapping.prefix-taken' } });
});

test('a mapping that already has a reserved name keeps it when a form sends all fields', async () => {
  await using t = await openTestDb();
  const { userId, serverId, deviceId } = await insertHome(t.db);
  const id = await insertMapping(t.db, { deviceId, serverId, prefix: 'welcome' });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const reply = await browser.call('PATCH', `${records}${id}/`, { prefix: 'welcome', remark: '首页' });

  expect(reply).toMatchObject({ status: 200, body: { prefix: 'welcome', remark: '首页' } });
});

test('a deleted mapping frees its prefix', async () => {
  await using t = await openTestDb();
  const { userId, serverId, deviceId } = await insertHome(t.db);
  const id = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  expect(await browser.call('DELETE', `${records}${id}/`)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await browser.call('DELETE', `${records}${id}/`)).status).toBe(404);
  expect((await browser.call('POST', records, body(deviceId))).status).toBe(201);
});
