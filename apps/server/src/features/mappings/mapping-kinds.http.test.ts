import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from './mapping-routes.ts';
import { mappingDeps } from '../../testing/mapping-deps.ts';

const records = '/api/user/records/';
const web = { kind: 'http', prefix: 'nas', target: 'http://192.168.1.10' };
const https = { kind: 'https', prefix: 'nas', target: 'https://192.168.1.10' };
const encrypted = {
  kind: 'https',
  custom_domain: 'nas.example.com',
  target: 'https://192.168.1.10',
  tls_passthrough: true,
};
const tcp = { kind: 'tcp', target: 'tcp://192.168.1.10:22' };
const udp = { kind: 'udp', target: 'udp://192.168.1.10:53' };
const workdays = { days: [5, 1, 2, 3, 4], from: '08:30', to: '18:00' };

async function openOwner(db: Db) {
  await using parts = new AsyncDisposableStack();
  const { userId, deviceId } = await insertHome(db);
  const app = parts.use(await openTestApp(db, (on) => registerMappingRoutes(on, { ...mappingDeps, db })));
  const browser: TestBrowser = await app.browserOf(userId);
  const running = parts.move();
  return {
    make: async (mapping: object) => await browser.call('POST', records, { router: deviceId, ...mapping }),
    change: async (id: number, patch: object) => await browser.call('PATCH', `${records}${id}/`, patch),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

function fieldsOf(reply: { body: unknown }): string[] {
  return Object.keys((reply.body as { errors: object }).errors).toSorted();
}

const valid: [what: string, given: object, shown: object][] = [
  ['a page behind https with its certificate checked', { ...https, verify_tls: true }, { verify_tls: true }],
  ['a page that sees its own Host', { ...web, host_header: 'rewrite' }, { host_header: 'rewrite' }],
  [
    'a page that sees a Host of its own',
    { ...web, host_header: 'custom', host_name: ' NAS.lan:8080 ' },
    { host_header: 'custom', host_name: 'nas.lan:8080' },
  ],
  [
    'a Host that is an address',
    { ...web, host_header: 'custom', host_name: '[fd00::1]:81' },
    { host_name: '[fd00::1]:81' },
  ],
  [
    'what a service learns',
    { ...web, visitor_fields: 'omit', forwarded_proto: 'https', origin_fields: 'keep', answer_timeout_s: 3600 },
    { visitor_fields: 'omit', forwarded_proto: 'https', origin_fields: 'keep', answer_timeout_s: 3600 },
  ],
  ['a silence of a day', { ...web, silence_timeout_s: 86_400 }, { silence_timeout_s: 86_400, answer_timeout_s: 60 }],
  ['a name for TLS', { ...https, tls_name: 'Home.example.com' }, { tls_name: 'home.example.com' }],
  ['a domain of the user’s own', { ...web, prefix: null, custom_domain: 'a.example.com' }, { prefix: null }],
  ['an end-to-end encrypted page', encrypted, { tls_passthrough: true, url: 'https://nas.example.com:8443' }],
  ['a mapping with PROXY protocol', { ...encrypted, proxy_protocol: true }, { proxy_protocol: true }],
  ['a TCP port', { ...tcp, port: 20_001 }, { port: 20_001, domain: 'localhost', url: 'tcp://localhost:20001' }],
  ['a TCP port with PROXY protocol', { ...tcp, proxy_protocol: true }, { proxy_protocol: true }],
  ['a UDP port', { ...udp, port: 20_001 }, { port: 20_001, prefix: null, url: 'udp://localhost:20001' }],
  ['a time from when on', { ...web, opens_at: '2026-12-01T00:00:00Z' }, { opens_at: '2026-12-01T00:00:00.000Z' }],
  ['hours', { ...web, hours: workdays }, { hours: { ...workdays, days: [1, 2, 3, 4, 5] } }],
  ['hours past midnight', { ...web, hours: { days: [7], from: '22:00', to: '06:00' } }, { hours: { days: [7] } }],
  ['a whole day', { ...web, hours: { days: [6], from: '00:00', to: '24:00' } }, { hours: { to: '24:00' } }],
];

test.each(valid)('%s is stored as given', async (_, given, shown) => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);

  const made = await owner.make(given);
  const { id } = made.body as { id: number };

  expect(made).toMatchObject({ status: 201, body: { ...shown, enabled: true, policy: 'owner' } });
  expect(await owner.change(id, {})).toMatchObject({ status: 200, body: made.body });
});

const contradictions: [what: string, mapping: object, fields: string[]][] = [
  ['a page without an address', { ...web, prefix: undefined }, ['prefix']],
  ['two addresses', { ...web, custom_domain: 'nas.example.com' }, ['custom_domain']],
  ['a page with a port', { ...web, port: 20_001 }, ['port']],
  ['a port with a prefix', { ...tcp, prefix: 'nas' }, ['prefix']],
  ['a port with a domain', { ...udp, custom_domain: 'nas.example.com' }, ['custom_domain']],
  ...['192.168.001.010', '192.168.1', '3232235786', '0x7f.1', '192.168.1.08'].map(
    (host): [string, object, string[]] => [`the target ${host}`, { ...web, target: `http://${host}` }, ['target']],
  ),
  ['a target of another kind', { ...tcp, target: 'udp://192.168.1.10:22' }, ['kind']],
  ['a target without a port', { ...tcp, target: 'tcp://192.168.1.10' }, ['target']],
  ['a certificate to check behind http', { ...web, verify_tls: true }, ['verify_tls']],
  ['a certificate to check behind TCP', { ...tcp, verify_tls: true }, ['verify_tls']],
  ['a certificate that nobody of us sees', { ...encrypted, verify_tls: true }, ['verify_tls']],
  ['an encrypted page below the suffix', { ...https, tls_passthrough: true }, ['tls_passthrough']],
  ['an encrypted page behind http', { ...encrypted, kind: 'http', target: 'http://nas' }, ['tls_passthrough']],
  ['a Host rewritten inside encryption', { ...encrypted, host_header: 'rewrite' }, ['host_header']],
  ['a Host of a port', { ...tcp, host_header: 'rewrite' }, ['host_header']],
  ['a Host of its own without a name', { ...web, host_header: 'custom' }, ['host_name']],
  ['a name for a Host that is kept', { ...web, host_name: 'nas.lan' }, ['host_name']],
  ...[
    'nas lan',
    'nas.lan\r\nX-Real-IP: 1.2.3.4',
    'nas.lan:0',
    'nas.lan:65536',
    'http://nas.lan',
    'a/b',
    '.lan',
    '用户',
  ].map((name): [string, object, string[]] => [
    `the Host ${JSON.stringify(name)}`,
    { ...web, host_header: 'custom', host_name: name },
    ['host_name'],
  ]),
  ['a name for TLS behind http', { ...web, tls_name: 'nas.lan' }, ['tls_name']],
  ['a name for TLS inside encryption', { ...encrypted, tls_name: 'nas.lan' }, ['tls_name']],
  ['an address as a name for TLS', { ...https, tls_name: '192.168.1.10' }, ['tls_name']],
  ['a name for TLS with a port', { ...https, tls_name: 'nas.lan:443' }, ['tls_name']],
  ['what the service of a port learns', { ...tcp, visitor_fields: 'omit' }, ['visitor_fields']],
  ['the patience with a port', { ...udp, answer_timeout_s: 90 }, ['answer_timeout_s']],
  [
    'no patience',
    { ...web, answer_timeout_s: 9, silence_timeout_s: 86_401 },
    ['answer_timeout_s', 'silence_timeout_s'],
  ],
  ['a page with the PROXY protocol', { ...web, proxy_protocol: true }, ['proxy_protocol']],
  ['UDP with the PROXY protocol', { ...udp, proxy_protocol: true }, ['proxy_protocol']],
  [
    'an end before the beginning',
    { ...web, opens_at: '2026-12-02T00:00:00Z', closes_at: '2026-12-01T00:00:00Z' },
    ['closes_at'],
  ],
  [
    'an end at the beginning',
    { ...web, opens_at: '2026-12-02T00:00:00Z', closes_at: '2026-12-02T00:00:00Z' },
    ['closes_at'],
  ],
  ['a time without its zone', { ...web, opens_at: '2026-12-02T00:00:00' }, ['opens_at']],
  ['no days', { ...web, hours: { ...workdays, days: [] } }, ['hours.days']],
  ['a day twice', { ...web, hours: { ...workdays, days: [1, 1] } }, ['hours.days']],
  ['an eighth day', { ...web, hours: { ...workdays, days: [8] } }, ['hours.days.0']],
  ['no time at all', { ...web, hours: { ...workdays, to: '08:30' } }, ['hours.to']],
  [
    'a time that no clock shows',
    { ...web, hours: { ...workdays, from: '24:00', to: '8:00' } },
    ['hours.from', 'hours.to'],
  ],
  ['a port of 0', { ...tcp, port: 0 }, ['port']],
  ['a port of 65536', { ...tcp, port: 65_536 }, ['port']],
  ['half a port', { ...tcp, port: 22.5 }, ['port']],
  ['several mistakes', { ...tcp, prefix: 'nas', verify_tls: true }, ['prefix', 'verify_tls']],
];

test('contradictions are refused, each at its field', async () => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);

  for (const [what, mapping, fields] of contradictions) {
    const reply = await owner.make(mapping);
    expect(reply, what).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
    expect(fieldsOf(reply), what).toEqual(fields);
  }
  expect(await t.db.selectFrom('mapping').select('id').execute()).toEqual([]);
});

const impossibleChanges: [what: string, mapping: object, patch: object, fields: string[]][] = [
  ['a port for a page', web, { port: 20_001 }, ['port']],
  ['a prefix for a port', tcp, { prefix: 'nas' }, ['prefix']],
  ['a domain for a port', udp, { custom_domain: 'nas.example.com' }, ['custom_domain']],
  ['two addresses', web, { prefix: 'a', custom_domain: 'nas.example.com' }, ['custom_domain']],
  ['http where the certificate is checked', { ...https, verify_tls: true }, { kind: 'http' }, ['verify_tls']],
  [
    'a kept Host with a name',
    { ...web, host_header: 'custom', host_name: 'nas.lan' },
    { host_header: 'keep' },
    ['host_name'],
  ],
  ['http inside encryption', encrypted, { target: 'http://192.168.1.10' }, ['tls_passthrough']],
  ['a prefix inside encryption', encrypted, { prefix: 'nas' }, ['tls_passthrough']],
  ['encryption below the suffix', https, { tls_passthrough: true }, ['tls_passthrough']],
  [
    'encryption with a rewritten Host',
    { ...encrypted, tls_passthrough: false, host_header: 'rewrite' },
    { tls_passthrough: true },
    ['host_header'],
  ],
  [
    'no encryption with PROXY protocol',
    { ...encrypted, proxy_protocol: true },
    { tls_passthrough: false },
    ['proxy_protocol'],
  ],
  ['UDP with PROXY protocol', { ...tcp, proxy_protocol: true }, { kind: 'udp' }, ['proxy_protocol']],
  [
    'an end before the beginning',
    { ...web, opens_at: '2026-12-02T00:00:00Z' },
    { closes_at: '2026-12-01T00:00:00Z' },
    ['closes_at'],
  ],
  [
    'a beginning after the end',
    { ...web, closes_at: '2026-12-02T00:00:00Z' },
    { opens_at: '2026-12-03T00:00:00Z' },
    ['closes_at'],
  ],
  ['a kind that contradicts the target', https, { kind: 'http', target: 'https://nas' }, ['kind']],
];

test.each(impossibleChanges)(
  '%s is refused with the field named, and nothing changes',
  async (_, mapping, patch, fields) => {
    await using t = await openTestDb();
    await using owner = await openOwner(t.db);
    const before = (await owner.make(mapping)).body as { id: number };

    const reply = await owner.change(before.id, { ...patch, remark: '改' });

    expect(reply).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
    expect(fieldsOf(reply)).toEqual(fields);
    expect((await owner.change(before.id, {})).body).toEqual(before);
  },
);

test('an HTTP mapping cannot become TCP or UDP, or the reverse, but TCP and UDP can be exchanged', async () => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);
  const { id: webId } = (await owner.make(web)).body as { id: number };
  const { id: portId } = (await owner.make({ ...tcp, port: 20_001 })).body as { id: number };
  const fixed = { status: 422, body: { code: 'mapping.kind-fixed', errors: { kind: [expect.any(String)] } } };

  expect(await owner.change(webId, { target: 'tcp://192.168.1.10:22' })).toMatchObject(fixed);
  expect(await owner.change(webId, { kind: 'udp' })).toMatchObject(fixed);
  expect(await owner.change(portId, { kind: 'https', target: 'https://nas' })).toMatchObject(fixed);
  expect((await owner.change(portId, { target: 'udp://192.168.1.10:53' })).body).toMatchObject({
    kind: 'udp',
    url: 'udp://localhost:20001',
  });
});

test('a prefix replaces a domain and the other way round, and each can be claimed again', async () => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);
  const { id } = (await owner.make(web)).body as { id: number };

  expect((await owner.change(id, { custom_domain: 'nas.example.com' })).body).toMatchObject({
    prefix: null,
    url: 'http://nas.example.com:8080',
  });
  expect((await owner.make(web)).status).toBe(201);
  expect((await owner.change(id, { prefix: 'photos' })).body).toMatchObject({
    custom_domain: null,
    url: 'http://photos.localhost:8080',
  });
  expect((await owner.make({ ...web, prefix: null, custom_domain: 'nas.example.com' })).status).toBe(201);
});

test('times are set, shown and removed', async () => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);
  const { id } = (await owner.make(web)).body as { id: number };
  const times = { opens_at: '2026-12-01T00:00:00.000Z', closes_at: '2026-12-02T00:00:00.000Z' };

  const hours = { days: [1, 5], from: '22:00', to: '06:30' };
  expect((await owner.change(id, { ...times, hours })).body).toMatchObject({ ...times, hours });
  expect((await owner.change(id, { remark: 'x' })).body).toMatchObject({ ...times, hours });
  expect((await owner.change(id, { opens_at: null })).body).toMatchObject({ ...times, opens_at: null, hours });
  const nothing = { opens_at: null, closes_at: null, hours: null };
  expect((await owner.change(id, nothing)).body).toMatchObject(nothing);
});

test('encryption and its domain can be changed in one call', async () => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);
  const { id } = (await owner.make(https)).body as { id: number };

  const { prefix: _prefix, ...changes } = { ...encrypted, prefix: 'x', proxy_protocol: true };
  expect((await owner.change(id, changes)).body).toMatchObject({ ...changes, prefix: null });
});

test('a device that runs frpc has no UDP mappings', async () => {
  await using t = await openTestDb();
  await using owner = await openOwner(t.db);
  await t.db
    .updateTable('device')
    .set({ publicKey: null, frpcTokenSealed: Buffer.alloc(1) })
    .execute();
  const refusal = {
    status: 422,
    body: { code: 'mapping.frpc-no-udp', errors: { kind: [expect.stringContaining('不能添加 UDP 映射')] } },
  };
  expect(await owner.make(udp)).toMatchObject(refusal);
  const { id } = (await owner.make(tcp)).body as { id: number };
  expect(await owner.change(id, { target: udp.target })).toMatchObject(refusal);
});
