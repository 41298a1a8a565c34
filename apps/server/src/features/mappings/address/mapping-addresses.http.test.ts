import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertServer, insertUser } from '../../../testing/device-fixtures.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { listOvertakenDomains } from './overtaken-domains.ts';
import { registerMappingRoutes } from '../mapping-routes.ts';
import { mappingDeps } from '../../../testing/mapping-deps.ts';

const records = '/api/user/records/';
const web = { kind: 'http', target: 'http://192.168.1.10' };
const tcp = { kind: 'tcp', target: 'tcp://192.168.1.10:22' };
const udp = { kind: 'udp', target: 'udp://192.168.1.10:53' };

async function openApp(db: Db, publicPorts = mappingDeps.publicPorts): Promise<TestApp> {
  return await openTestApp(db, (app) => registerMappingRoutes(app, { ...mappingDeps, publicPorts, db }));
}

type Reply = { status: number; body: unknown };

/** Inserts several users with a device each. `make` creates mappings by each user in turn. */
async function openUsers(db: Db, app: TestApp, count: number) {
  const serverId = await insertServer(db);
  const users = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const userId = await insertUser(db, `user${index}`);
      return { browser: await app.browserOf(userId), router: await insertDevice(db, { userId, serverId }) };
    }),
  );
  return {
    make: async (...mappings: object[]): Promise<Reply[]> =>
      await Promise.all(
        mappings.map(async (mapping, index) => {
          const { browser, router } = users[index % count]!; // count is above 0
          return await browser.call('POST', records, { router, ...mapping });
        }),
      ),
  };
}

function portsOf(replies: Reply[]): number[] {
  return replies.filter(({ status }) => status === 201).map(({ body }) => (body as { port: number }).port);
}

test('of 20 users who claim one domain concurrently exactly one gets it', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { make } = await openUsers(t.db, app, 20);

  const replies = await make(...Array(20).fill({ ...web, custom_domain: 'nas.example.com' }));

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
});

test('of 20 users who claim one port concurrently exactly one gets it', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { make } = await openUsers(t.db, app, 20);

  const replies = await make(...Array(20).fill({ ...tcp, port: 20_001 }));

  expect(portsOf(replies)).toEqual([20_001]);
  const refused = replies.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  expect(refused[0]?.body).toMatchObject({ code: 'mapping.port-taken', errors: { port: [expect.any(String)] } });
});

test('50 concurrent calls for any port get different ones, and the next one fails with mapping.ports-exhausted', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db, { from: 30_001, to: 30_050 });
  const { make } = await openUsers(t.db, app, 10);

  const replies = await make(...Array(50).fill(tcp));
  const [late] = await make(tcp);

  const expected = Array.from({ length: 50 }, (_, n) => 30_001 + n);
  expect(portsOf(replies).toSorted((a, b) => a - b)).toEqual(expected);
  expect(late).toMatchObject({
    status: 409,
    body: { code: 'mapping.ports-exhausted', errors: { port: [expect.any(String)] } },
  });
});

test('calls for any port succeed although concurrent calls name theirs', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db, { from: 30_001, to: 30_020 });
  const { make } = await openUsers(t.db, app, 20);

  const replies = await make(...Array.from({ length: 20 }, (_, n) => (n % 2 ? { ...tcp, port: 30_000 + n } : tcp)));

  // Only calls that name a port which was just assigned are refused.
  replies.forEach(({ status }, index) => expect([201, index % 2 ? 409 : 201]).toContain(status));
  const ports = portsOf(replies);
  expect(new Set(ports).size).toBe(ports.length);
});

test('each region has separate ports for TCP and UDP', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  const elsewhere = await insertDevice(t.db, { userId, serverId: await insertServer(t.db, 'tongtu.test') });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const make = async (router: number, mapping: object) =>
    await browser.call('POST', records, { router, port: 20_000, ...mapping });

  expect(await make(deviceId, tcp)).toMatchObject({ status: 201, body: { url: 'tcp://localhost:20000' } });
  expect(await make(deviceId, udp)).toMatchObject({ status: 201, body: { url: 'udp://localhost:20000' } });
  expect(await make(elsewhere, tcp)).toMatchObject({ status: 201, body: { url: 'tcp://tongtu.test:20000' } });
  expect(await make(deviceId, tcp)).toMatchObject({ status: 409, body: { code: 'mapping.port-taken' } });
});

test('a port outside the range is refused, but an existing one stays when the range changes', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const id = await insertMapping(t.db, { ...home, kind: 'tcp', port: 9_022 });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(home.userId);

  for (const port of [19_999, 20_003, 22, 65_535])
    expect(await browser.call('POST', records, { router: home.deviceId, ...tcp, port })).toMatchObject({
      status: 422,
      body: { code: 'mapping.port-out-of-range', errors: { port: [expect.any(String)] } },
    });
  const change = async (patch: object) => (await browser.call('PATCH', `${records}${id}/`, patch)).body;
  expect(await change({ port: 9_022, remark: '旧' })).toMatchObject({ port: 9_022, remark: '旧' });
  expect(await change({ port: 9_023 })).toMatchObject({ code: 'mapping.port-out-of-range' });
  expect(await change({ port: 20_002 })).toMatchObject({ port: 20_002, url: 'tcp://localhost:20002' });
});

test('a released port can be used again', async () => {
  await using t = await openTestDb();
  const { userId, deviceId: router } = await insertHome(t.db);
  await using app = await openApp(t.db, { from: 20_000, to: 20_000 });
  const browser = await app.browserOf(userId);
  const { id } = (await browser.call('POST', records, { router, ...tcp })).body as { id: number };
  expect((await browser.call('POST', records, { router, ...tcp })).status).toBe(409);

  await browser.call('DELETE', `${records}${id}/`);

  expect(await browser.call('POST', records, { router, ...tcp })).toMatchObject({
    status: 201,
    body: { port: 20_000 },
  });
});

const ownDomains = [
  ...['nas.localhost', 'a.b.localhost', 'tongtu.test', 'nas.tongtu.test', 'nas.t0ngtu.test'],
  ...['console.example.net', 'conso1e.example.net', 'CONSOLE.Example.net', 'cоnsole.example.net'],
];

test('names of the installation, of any region, and names that look like them cannot be claimed', async () => {
  await using t = await openTestDb();
  const { userId, deviceId: router } = await insertHome(t.db);
  await insertServer(t.db, 'tongtu.test');
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  for (const custom_domain of ownDomains)
    expect(await browser.call('POST', records, { router, ...web, custom_domain }), custom_domain).toMatchObject({
      status: 422,
      body: { code: 'mapping.domain-reserved', errors: { custom_domain: [expect.any(String)] } },
    });
  // Other names below the console's domain may belong to a user.
  const free = ['nas.example.net', 'nas.console.example.net', 'localhost.example.com', 'mytongtu.test'];
  for (const custom_domain of free)
    expect((await browser.call('POST', records, { router, ...web, custom_domain })).status, custom_domain).toBe(201);
});

test('domains that are names of the installation since its settings changed are found with their owners', async () => {
  await using t = await openTestDb();
  const { deviceId, serverId } = await insertHome(t.db, 'kate');
  const claimed = ['*.example.org', '*.lan.home.example.org', 'nas.home.example.org', 'nas.example.org'];
  for (const customDomain of claimed) await insertMapping(t.db, { deviceId, serverId, customDomain });
  const overtaken = async (...ownDomains: string[]) => await listOvertakenDomains({ db: t.db, ownDomains });
  expect(await overtaken('console.example.net')).toEqual([]);

  await insertServer(t.db, 'home.example.org');
  const domains = ['*.example.org', '*.lan.home.example.org', 'nas.home.example.org'];
  expect(await overtaken('console.example.net')).toEqual(domains.map((domain) => ({ domain, owner: 'kate' })));
  expect((await overtaken('nas.example.org')).map(({ domain }) => domain)).toEqual(claimed);
});

test('a domain is stored in one spelling', async () => {
  await using t = await openTestDb();
  const { userId, deviceId: router } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const make = async (custom_domain: string) =>
    (await browser.call('POST', records, { router, ...web, custom_domain })).body;

  expect(await make(' NAS.Example.com. ')).toMatchObject({ domain: 'nas.example.com' });
  expect(await make('相册。例子.中国')).toMatchObject({ domain: 'xn--26q252g.xn--fsqu00a.xn--fiqs8s' });
  expect(await make('nas.EXAMPLE.com')).toMatchObject({ code: 'mapping.domain-taken' });
});

const noDomains = [
  ...['', 'nas', 'localhost', '192.168.1.1', '1.2.3.4.', '[::1]', 'a..example.com', '.example.com', '-a.example.com'],
  ...['a-.example.com', 'a_b.example.com', '*.example.com', 'http://nas.example.com', 'nas.example.com/', 'a b.com'],
  ...['nas.example.com:8443', 'user@nas.example.com', 'nas.example.com?', 'nas.example.com#', 'nas.example.1'],
  ...[
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    'nas.例子/x',
    'nas.例子:80',
    'nas.example.c',
    'nas.example.com\0',
  ],
];

test('an invalid domain is refused at its field', async () => {
  await using t = await openTestDb();
  const { userId, deviceId: router } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  for (const custom_domain of noDomains) {
    const reply = await browser.call('POST', records, { router, ...web, custom_domain });
    expect(reply, custom_domain).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
    expect(Object.keys((reply.body as { errors: object }).errors), custom_domain).toEqual(['custom_domain']);
  }
  expect((await sql`select from mapping`.execute(t.db)).rows).toEqual([]);
});
