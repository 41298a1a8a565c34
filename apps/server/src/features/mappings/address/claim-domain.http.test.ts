import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertServer, insertUser } from '../../../testing/device-fixtures.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { FakeDnsServer } from '../../../testing/fake-dns-server.ts';
import { registerMappingRoutes } from '../mapping-routes.ts';
import { createTxtResolver } from './resolve-txt.ts';
import { mappingDeps } from '../../../testing/mapping-deps.ts';

const records = '/api/user/records/';
const domain = 'nas.example.com';

async function openApp(db: Db, dns: FakeDnsServer): Promise<TestApp> {
  const resolveTxt = createTxtResolver([`127.0.0.1:${dns.port}`]);
  return await openTestApp(db, (app) => registerMappingRoutes(app, { ...mappingDeps, db, resolveTxt }));
}

/** Inserts a user with a device, and returns calls that claim the domain. */
async function openUser(db: Db, app: TestApp, username: string) {
  const serverId = await insertServer(db);
  const userId = await insertUser(db, username);
  const deviceId = await insertDevice(db, { userId, serverId });
  const browser = await app.browserOf(userId);
  const mapping = { router: deviceId, kind: 'https', target: 'https://192.168.1.10' };
  return {
    userId,
    deviceId,
    make: async (address: object = { custom_domain: domain }) =>
      await browser.call('POST', records, { ...mapping, ...address }),
    change: async (id: number, patch: object) => await browser.call('PATCH', `${records}${id}/`, patch),
  };
}

/** The TXT value that the refusal requires. */
function proofIn(reply: { body: unknown }): string {
  const { errors } = reply.body as { errors: { custom_domain: [string, string] } };
  const [, line] = errors.custom_domain;
  expect(line).toMatch(/^_tongtu\.nas\.example\.com TXT tongtu-verify=[\w-]{32}$/);
  return line.split(' TXT ')[1] ?? '';
}

async function holders(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('mapping').where('customDomain', '=', domain).select('deviceId').execute();
  return rows.map((row) => row.deviceId);
}

/** DNS splits long TXT records into several strings. */
function inStrings(text: string): string[] {
  return text.match(/.{1,20}/g) ?? [];
}

test('the first claim of a domain succeeds at once, without a DNS query', async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const li = await openUser(t.db, app, 'li');

  expect(await li.make()).toMatchObject({ status: 201, body: { custom_domain: domain, domain } });
  expect(await li.make()).toMatchObject({
    status: 409,
    body: { code: 'mapping.domain-taken', errors: { custom_domain: [expect.any(String)] } },
  });
  expect(dns.queries).toEqual([]);
});

test('a user who controls the DNS takes over a domain with the TXT record that the refusal names', async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const squatter = await openUser(t.db, app, 'squatter');
  const owner = await openUser(t.db, app, 'owner');
  await squatter.make();

  const refused = await owner.make();
  expect(refused).toMatchObject({ status: 409, body: { code: 'mapping.domain-unproven' } });
  expect(await holders(t.db)).toEqual([squatter.deviceId]);
  dns.set('TXT', `_tongtu.${domain}`, ['v=spf1 -all', inStrings(proofIn(refused))]);
  const notified = new Set<number>();
  const both = Promise.withResolvers<void>();
  const receive = (payload: string): void => {
    const { deviceId } = JSON.parse(payload) as { deviceId: number };
    if (notified.add(deviceId).size === 2) both.resolve();
  };
  await t.listen('device_changed', receive, () => undefined);

  expect(await owner.make()).toMatchObject({ status: 201, body: { custom_domain: domain } });
  expect(await holders(t.db)).toEqual([owner.deviceId]);
  await both.promise;
  expect(notified).toEqual(new Set([squatter.deviceId, owner.deviceId]));

  const retried = await squatter.make();
  expect(retried).toMatchObject({ status: 409, body: { code: 'mapping.domain-unproven' } });
  expect(proofIn(retried)).not.toBe(proofIn(refused));
});

test('records of a domain that was taken over stay with the previous owner, and its proofs are revoked', async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const li = await openUser(t.db, app, 'li');
  const zhao = await openUser(t.db, app, 'zhao');
  const { id: mappingId } = (await li.make()).body as { id: number };
  const expiresAt = new Date(Date.now() + 3_600_000);
  const place = { ownerId: li.userId, deviceId: li.deviceId, mappingId, host: domain };
  const visit = { ...place, visitorIp: '203.0.113.9', userAgent: '', expiresAt, cookieExpiresAt: expiresAt };
  await t.db.insertInto('verification').values(visit).execute();
  dns.set('TXT', `_tongtu.${domain}`, [proofIn(await zhao.make())]);

  expect(await zhao.make()).toMatchObject({ status: 201 });

  const records = await t.db.selectFrom('verification').select(['ownerId', 'mappingId', 'revokedAt']).execute();
  expect(records).toEqual([{ ownerId: li.userId, mappingId, revokedAt: expect.any(Date) }]);
  const deleted = await t.db.selectFrom('deletedMapping').select(['id', 'ownerId', 'domain']).execute();
  expect(deleted).toEqual([{ id: mappingId, ownerId: li.userId, domain }]);
});

test('an existing mapping can take over a domain, and the other user keeps all other mappings', async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const squatter = await openUser(t.db, app, 'squatter');
  const owner = await openUser(t.db, app, 'owner');
  await squatter.make();
  await squatter.make({ prefix: 'other' });
  const { id } = (await owner.make({ prefix: 'nas' })).body as { id: number };

  const refused = await owner.change(id, { custom_domain: domain });
  dns.set('TXT', `_tongtu.${domain}`, [proofIn(refused)]);

  expect(await owner.change(id, { custom_domain: domain })).toMatchObject({
    status: 200,
    body: { id, custom_domain: domain, prefix: null },
  });
  expect(await t.db.selectFrom('mapping').select(['id', 'prefix']).orderBy('id').execute()).toEqual([
    { id: expect.any(Number), prefix: 'other' },
    { id, prefix: null },
  ]);
});

test("another user's proof, another domain's proof and a failing name server are refused", async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const squatter = await openUser(t.db, app, 'squatter');
  const [owner, third] = [await openUser(t.db, app, 'owner'), await openUser(t.db, app, 'third')];
  await squatter.make();
  const proof = proofIn(await owner.make());

  dns.set('TXT', `_tongtu.${domain}`, [`${proof}x`, proof.slice(0, -1), proof.toUpperCase(), ` ${proof}`]);
  dns.set('TXT', domain, [proof]);
  dns.set('TXT', '_tongtu.example.com', [proof]);
  expect((await owner.make()).status).toBe(409);
  dns.set('TXT', `_tongtu.${domain}`, [proof]);
  expect((await third.make()).status).toBe(409);
  expect(await holders(t.db)).toEqual([squatter.deviceId]);
});

test('of several users who prove a domain concurrently exactly one gets it', async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const users = await Promise.all(['a0', 'b0', 'c0', 'd0'].map((name) => openUser(t.db, app, name)));
  await users[0]?.make();
  const refusals = await Promise.all(users.slice(1).map((user) => user.make()));
  dns.set('TXT', `_tongtu.${domain}`, refusals.map(proofIn));

  const replies = await Promise.all(users.slice(1).map((user) => user.make()));

  expect(replies.map(({ status }) => status)).toContain(201);
  for (const { status, body } of replies.filter((reply) => reply.status !== 201))
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'mapping.domain-taken' })]);
  expect(await holders(t.db)).toHaveLength(1);
});

test('a domain waits until it leads here, also one that was given up and comes back', async () => {
  await using t = await openTestDb();
  await using dns = await FakeDnsServer.start();
  await using app = await openApp(t.db, dns);
  const li = await openUser(t.db, app, 'li');
  const waiting = { state: 'waiting', record: null, addresses: [], found: [] };

  const made = await li.make();
  expect(made).toMatchObject({ status: 201, body: { dns: waiting } });
  const { id } = made.body as { id: number };
  await t.db
    .updateTable('domainCheck')
    .set({ readyAt: new Date(), found: ['203.0.113.80'] })
    .execute();
  expect(await li.change(id, { remark: '相册', custom_domain: domain })).toMatchObject({
    body: { dns: { ...waiting, state: 'ready', found: ['203.0.113.80'] } },
  });
  expect(await li.change(id, { prefix: 'nas' })).toMatchObject({ body: { dns: null } });
  expect(await li.change(id, { custom_domain: domain })).toMatchObject({ body: { dns: waiting } });
});

test('the record to set names the suffix of the region, and only the owner has it looked at', async () => {
  await using t = await openTestDb();
  const checked: number[] = [];
  const checkDomain = async (id: number): Promise<void> => void checked.push(id);
  await using app = await openTestApp(t.db, (on) =>
    registerMappingRoutes(on, { ...mappingDeps, db: t.db, checkDomain }),
  );
  const serverId = await insertServer(t.db, 'tongtu.example.com');
  const userId = await insertUser(t.db, 'li');
  const router = await insertDevice(t.db, { userId, serverId });
  const owner = await app.browserOf(userId);
  const other = await app.browserOf(await insertUser(t.db, 'other'));
  const made = await owner.call('POST', records, { router, kind: 'http', target: 'http://nas', custom_domain: domain });
  const record = { type: 'CNAME', name: domain, value: 'tongtu.example.com' };
  expect(made.body).toMatchObject({ dns: { state: 'waiting', record } });
  const { id } = made.body as { id: number };

  expect(await owner.call('POST', `${records}${id}/check_domain/`)).toMatchObject({ status: 200, body: { id } });
  expect((await other.call('POST', `${records}${id}/check_domain/`)).status).toBe(404);
  expect((await app.browser().call('POST', `${records}${id}/check_domain/`)).status).toBe(401);
  expect(checked).toEqual([id]);
});
