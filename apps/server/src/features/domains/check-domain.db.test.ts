import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertServer, insertUser } from '../../testing/device-fixtures.ts';
import { openNameServers } from '../certificates/index.ts';
import { FakeDnsServer } from '../../testing/fake-dns-server.ts';
import { assertRoomForDomain } from './assert-room-for-domain.ts';
import { checkDomainNow, type DomainCheckDeps } from './check-domain.ts';
import { claimDueDomains, listDomainStatuses, replaceDomainCheck } from './domain-check-store.ts';
import { checkDueDomains } from './keep-checking-domains.ts';

const domain = 'nas.example.net';
const suffix = 'tongtu.example.com';
const gateKey = Buffer.alloc(32, 9);

/** A user's mapping with a domain of its own, in a region of that suffix. */
async function insertWaiting(db: Db, changes: { customDomain?: string; tlsPassthrough?: boolean } = {}) {
  const serverId = await insertServer(db, suffix);
  const userId = await insertUser(db, `user-${changes.customDomain ?? domain}`);
  const deviceId = await insertDevice(db, { userId, serverId });
  const target = { kind: 'https', targetHost: '192.168.1.10', targetPort: 443, policy: 'public' } as const;
  const mapping = { deviceId, serverId, customDomain: domain, ...target, ...changes };
  const { id } = await db.insertInto('mapping').values(mapping).returning('id').executeTakeFirstOrThrow();
  await replaceDomainCheck(db, id, mapping.customDomain);
  return { userId, deviceId, mappingId: id };
}

/** More domains of a device that has one. */
async function insertDomains(db: Db, deviceId: number, count: number): Promise<void> {
  await sql`
    insert into mapping (device_id, server_id, kind, custom_domain, target_host, target_port, policy)
    select ${deviceId}, server_id, 'http', 'n' || n || '.example.net', '192.168.1.10', 80, 'owner'
    from generate_series(1, ${count}::integer) as n, mapping`.execute(db);
  await sql`
    insert into domain_check (mapping_id, domain)
    select id, custom_domain from mapping on conflict do nothing`.execute(db);
}

async function openCheck(t: TestDb) {
  const dns = await FakeDnsServer.start();
  dns.set('A', suffix, ['203.0.113.80']);
  dns.set('AAAA', suffix, ['2001:db8::80']);
  const nameServers = openNameServers([`127.0.0.1:${dns.port}`]);
  const deps: DomainCheckDeps = { db: t.db, nameServers, publicUrl: `http://${suffix}`, gateKey, mayAsk: 'public' };
  return { dns, deps, [Symbol.asyncDispose]: async () => await dns[Symbol.asyncDispose]() };
}

async function statusOf(db: Db, mappingId: number) {
  return (await listDomainStatuses(db, [mappingId])).get(mappingId);
}

async function makeDue(db: Db): Promise<void> {
  await db.updateTable('domainCheck').set({ nextCheckAt: new Date() }).execute();
}

test.each([
  ['an A record of the server', 'A', ['203.0.113.80'], true],
  ['an AAAA record of the server, in another spelling', 'AAAA', ['2001:0DB8:0::0080'], true],
  ['a CNAME to the suffix', 'CNAME', [suffix], true],
  ['a record of somebody else', 'A', ['8.8.8.8'], false],
  ['a CNAME to somebody else', 'CNAME', ['cdn.example.org'], false],
] as const)('a domain with %s is ready or waits', async (_what, type, values, isReady) => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  const { mappingId } = await insertWaiting(t.db, { tlsPassthrough: true });
  check.dns.set('A', 'cdn.example.org', ['8.8.8.8']);
  check.dns.set(type, domain, [...values]);

  await checkDueDomains(check.deps);

  const wanted = ['203.0.113.80', '2001:db8::80'];
  expect(await statusOf(t.db, mappingId)).toEqual({ isReady, found: expect.any(Array), wanted });
});

test('a domain is checked again, less and less often, until it leads here, and then no more', async () => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  const { mappingId, deviceId } = await insertWaiting(t.db);
  const waits: number[] = [];
  for (let tries = 0; tries < 35; tries++) {
    await makeDue(t.db);
    await checkDueDomains(check.deps);
    const { rows } = await sql<{ seconds: number }>`
      select round(extract(epoch from next_check_at - now()))::integer as seconds from domain_check`.execute(t.db);
    waits.push(rows[0]?.seconds ?? 0);
  }
  expect([waits[0], waits[10], waits[34]]).toEqual([15, 60, 600]);
  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady: false, found: [] });

  check.dns.set('A', domain, ['203.0.113.80']);
  await checkDueDomains(check.deps);
  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady: false });
  const received = Promise.withResolvers<string>();
  await t.listen('device_changed', received.resolve, () => undefined);
  await makeDue(t.db);
  await checkDueDomains(check.deps);
  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady: true, found: ['203.0.113.80'] });
  expect(JSON.parse(await received.promise)).toMatchObject({ deviceId });

  const { length } = check.dns.queries;
  await makeDue(t.db);
  await checkDueDomains(check.deps);
  await checkDomainNow(check.deps, mappingId);
  expect(check.dns.queries.length).toBe(length);
});

test('open pages are notified of a check only when its result is different', async () => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  const { mappingId, userId } = await insertWaiting(t.db, { tlsPassthrough: true });
  const received: string[] = [];
  const last = Promise.withResolvers<void>();
  const receive = (payload: string): void => void (received.push(payload) === 2 && last.resolve());
  await t.listen('live', receive, () => undefined);

  for (const addresses of [['8.8.8.8'], ['8.8.8.8'], ['9.9.9.9']]) {
    check.dns.set('A', domain, addresses);
    await checkDomainNow(check.deps, mappingId);
  }

  await last.promise;
  expect(received.map((payload) => JSON.parse(payload))).toEqual([
    { userId, topic: 'devices' },
    { userId, topic: 'devices' },
  ]);
});

test('the result for a domain that was replaced during its check does not count for the next one', async () => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  const { mappingId } = await insertWaiting(t.db);
  check.dns.set('A', domain, ['203.0.113.80']);
  const { nameServers } = check.deps;
  const addressesOf = nameServers.addressesOf.bind(nameServers);
  nameServers.addressesOf = async (name) => {
    if (name === domain) await replaceDomainCheck(t.db, mappingId, 'other.example.net');
    return await addressesOf(name);
  };
  await checkDueDomains(check.deps);
  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady: false });
});

test("only public addresses and the server's own are shown of a domain", async () => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  const { mappingId } = await insertWaiting(t.db, { tlsPassthrough: true });
  check.dns.set('A', domain, ['10.0.0.5', '8.8.8.8', '127.0.0.1']);
  check.dns.set('AAAA', domain, ['fd00::5']);
  await checkDueDomains(check.deps);
  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady: false, found: ['8.8.8.8'] });

  check.dns.set('A', suffix, ['10.0.0.5']); // an installation in a network of its own
  await makeDue(t.db);
  await checkDueDomains(check.deps);
  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady: true, found: ['10.0.0.5', '8.8.8.8'] });
});

test('a check ends when the name servers do not answer in time, and keeps no answer', async () => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  const { mappingId } = await insertWaiting(t.db, { tlsPassthrough: true });
  check.dns.set('A', domain, ['8.8.8.8']);
  await checkDueDomains(check.deps);
  const first = await statusOf(t.db, mappingId);
  expect(first).toMatchObject({ found: ['8.8.8.8'] });

  const { nameServers } = check.deps;
  const addressesOf = nameServers.addressesOf.bind(nameServers);
  const never = Promise.withResolvers<string[]>().promise;
  nameServers.addressesOf = async (name) => await (name === domain ? never : addressesOf(name));
  await makeDue(t.db);
  await checkDueDomains({ ...check.deps, limitMs: 20 });
  expect(await statusOf(t.db, mappingId)).toEqual({ isReady: false, found: [], wanted: first?.wanted });
  expect(await t.db.selectFrom('domainCheck').select('tries').executeTakeFirst()).toEqual({ tries: 2 });
});

test('a round takes two domains of a user at most, and those of others with them', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertWaiting(t.db);
  await insertDomains(t.db, deviceId, 20);
  await sql`update domain_check set next_check_at = now() - interval '1 hour'`.execute(t.db);
  const { mappingId } = await insertWaiting(t.db, { customDomain: 'other.example.org' });

  const claimed = await claimDueDomains(t.db, 8);
  expect(claimed.map((due) => due.mappingId)).toContain(mappingId);
  expect(claimed).toHaveLength(3);
  expect(await claimDueDomains(t.db, 8)).toHaveLength(2);
});

test('two processes check a domain once', async () => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  await insertWaiting(t.db);
  await Promise.all([checkDueDomains(check.deps), checkDueDomains(check.deps)]);
  expect(check.dns.queries.filter((question) => question === `A ${domain}`)).toHaveLength(1);
});

test('a user has at most 50 domains that wait', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertWaiting(t.db);
  await insertDomains(t.db, deviceId, 49);

  const refusal = { code: 'mapping.domains-waiting' };
  await expect(assertRoomForDomain(t.db, userId)).rejects.toMatchObject(refusal);
  const other = await insertUser(t.db, 'other');
  await assertRoomForDomain(t.db, other);
  await t.db.updateTable('domainCheck').set({ readyAt: new Date() }).where('domain', '=', domain).execute();
  await assertRoomForDomain(t.db, userId);
});

/** A relay behind a CDN: an address that is not the server's. */
async function openCdn(answer: (host: string, nonce: string) => string) {
  const server = createServer((req, res) => {
    const nonce = new URL(req.url ?? '', 'http://x').searchParams.get('nonce') ?? '';
    res.end(answer(req.headers.host?.split(':')[0] ?? '', nonce));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { port, [Symbol.asyncDispose]: async () => void (await new Promise((done) => server.close(done))) };
}

const codeOf = (host: string, nonce: string) =>
  createHmac('sha256', gateKey).update(`tongtu domain check v1\n${host}\n${nonce}`).digest('base64url');

test.each([
  ['the code of this installation', codeOf, 'any', true],
  ['the code of another name', (_host: string, nonce: string) => codeOf('x.example.net', nonce), 'any', false],
  ['a page', () => 'x'.repeat(43), 'any', false],
  ['a long page', () => 'x'.repeat(100_000), 'any', false],
  ['the code, but at an address of the own network', codeOf, 'public', false],
] as const)('a domain that answers with %s leads here or not', async (_what, answer, mayAsk, isReady) => {
  await using t = await openTestDb();
  await using check = await openCheck(t);
  await using cdn = await openCdn(answer);
  const { mappingId } = await insertWaiting(t.db);
  check.dns.set('A', domain, ['127.0.0.1']);

  await checkDueDomains({ ...check.deps, publicUrl: `http://${suffix}:${cdn.port}`, mayAsk });

  expect(await statusOf(t.db, mappingId)).toMatchObject({ isReady });
});
