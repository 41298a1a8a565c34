import { X509Certificate, createPrivateKey } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { readEdge } from './testing/read-edge.ts';
import { aliyunCredential, startFakeAliyunDns } from './testing/fake-aliyun-dns.ts';
import {
  insertDomain,
  makeDue,
  openAcmeWorld,
  readCertificates,
  sealingKey,
  startTestScheduler,
  notifyOfChange,
  whenCertificate,
} from './testing/acme-world.ts';
import { FakeZones } from './testing/fake-dns-provider.ts';
import { hasTestAuthority, skipReason } from './testing/test-authority.ts';

// Each test starts a real authority.
vi.setConfig({ testTimeout: 60_000 });

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

test.skipIf(!hasTestAuthority)(`a user's own domain gets a certificate by HTTP-01${skipReason}`, async () => {
  await using t = await openTestDb();
  await using world = await openAcmeWorld(t, { validitySeconds: (90 * DAY_MS) / 1000 });
  world.pointHere('nas.example.com');
  const { userId } = await insertDomain(t, 'nas.example.com');
  const notices: unknown[] = [];
  await using _live = await t.listen(
    'live',
    (payload) => notices.push(JSON.parse(payload)),
    () => {},
  );
  await using _scheduler = await startTestScheduler(t, world);

  const row = await whenCertificate(t, 'nas.example.com', ({ chain }) => chain !== null);

  const { certificates, challenges } = await readEdge(t.db, sealingKey);
  const [shown] = certificates;
  const leaf = new X509Certificate(shown!.cert);
  expect(certificates).toHaveLength(1);
  expect(shown!.names).toEqual(['nas.example.com']);
  expect(leaf.subjectAltName).toBe('DNS:nas.example.com');
  expect(leaf.checkPrivateKey(createPrivateKey(shown!.key))).toBe(true);
  expect(shown!.cert.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(row.keySealed?.toString('latin1')).not.toContain('PRIVATE KEY');
  expect(challenges).toEqual([]);
  expect(new Set(world.visits).size).toBe(1);
  expect(row).toMatchObject({ failures: 0, problem: null, claim: null, orderUrl: null, origin: 'custom_domain' });
  const daysLeft = (row.notAfter!.getTime() - row.nextTryAt.getTime()) / DAY_MS;
  expect(daysLeft).toBeGreaterThanOrEqual(29.9);
  expect(daysLeft).toBeLessThan(33.1);
  // By a connection of its own, so it may come after the row.
  await expect.poll(() => notices).toContainEqual({ userId, topic: 'devices' });
});

test.skipIf(!hasTestAuthority)(
  `a wildcard and its suffix are issued by DNS-01, and the TXT records are removed${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    const zones = new FakeZones(['example.com'], world.dns);
    await using aliyun = await startFakeAliyunDns(zones);
    const dns = { provider: 'aliyun', ...aliyunCredential, endpoint: aliyun.endpoint } as const;
    const names = ['*.d.example.com', 'd.example.com'];
    await using _scheduler = await startTestScheduler(t, world, {
      acme: { dns },
      planned: [{ subject: '*.d.example.com', names, challenge: 'dns-01' }],
    });

    await whenCertificate(t, '*.d.example.com', ({ chain }) => chain !== null);

    const { certificates } = await readEdge(t.db, sealingKey);
    expect(certificates).toMatchObject([{ names }]);
    const covered = new X509Certificate(certificates[0]!.cert).subjectAltName?.split(', ').sort();
    expect(covered).toEqual(['DNS:*.d.example.com', 'DNS:d.example.com']);
    expect(zones.records).toEqual([]);
    expect(world.dns.queries).toContain('TXT _acme-challenge.d.example.com');
    expect(world.visits).toEqual([]);
  },
);

test.skipIf(!hasTestAuthority)(
  `a missing zone at the DNS provider is reported and retried soon${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    await using aliyun = await startFakeAliyunDns(new FakeZones(['example.net']));
    const dns = { provider: 'aliyun', ...aliyunCredential, endpoint: aliyun.endpoint } as const;
    await using _scheduler = await startTestScheduler(t, world, {
      acme: { dns },
      planned: [{ subject: '*.example.com', names: ['*.example.com', 'example.com'], challenge: 'dns-01' }],
    });
    const row = await whenCertificate(t, '*.example.com', ({ problem }) => problem !== null);
    expect(row).toMatchObject({ problem: 'dns-zone-missing', failures: 1, claim: null });
    expect(row.nextTryAt.getTime() - Date.now()).toBeLessThan(2 * MINUTE_MS);
  },
);

test.skipIf(!hasTestAuthority)(
  `a name without an address is reported without an order, and issued once it has one${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    await insertDomain(t, 'nas.example.com');
    await using _scheduler = await startTestScheduler(t, world);

    const row = await whenCertificate(t, 'nas.example.com', ({ problem }) => problem !== null);
    expect(row).toMatchObject({ problem: 'name-unresolved', failures: 1, orderUrl: null });
    expect(row.nextTryAt.getTime() - Date.now()).toBeLessThan(2 * MINUTE_MS);

    world.pointHere('nas.example.com');
    await makeDue(t);
    const retried = await whenCertificate(t, 'nas.example.com', ({ chain }) => chain !== null);
    expect(retried).toMatchObject({ problem: null, problemDetail: '', failures: 0 });
  },
);

test.skipIf(!hasTestAuthority).for([
  ['nothing listens at the name’s address', '127.0.0.9', 'connection-failed'],
  ['another server answers there', '127.0.0.1', 'answer-wrong'],
] as const)(
  `%s: reported, retried once, and then not for a quarter of an hour${skipReason}`,
  async ([, address, problem]) => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.dns.set('A', 'nas.example.com', [address]);
    await insertDomain(t, 'nas.example.com');
    await using _scheduler = await startTestScheduler(t, world, {
      awaitRelays: async () => void (await t.db.deleteFrom('acmeChallenge').execute()),
    });
    const row = await whenCertificate(t, 'nas.example.com', ({ failures }) => failures > 0);
    expect(row).toMatchObject({ problem, failures: 1, chain: null, claim: null, orderUrl: null });
    expect(row.problemDetail).not.toBe('');
    expect(row.nextTryAt.getTime() - Date.now()).toBeLessThan(2 * MINUTE_MS);
    await makeDue(t);
    const again = await whenCertificate(t, 'nas.example.com', ({ failures }) => failures > 1);
    expect(again.nextTryAt.getTime() - Date.now()).toBeGreaterThan(14 * MINUTE_MS);
    expect((await readEdge(t.db, sealingKey)).certificates).toEqual([]);
  },
);

test.skipIf(!hasTestAuthority)(`an unreachable authority is retried soon${skipReason}`, async () => {
  await using t = await openTestDb();
  const world = await openAcmeWorld(t);
  world.pointHere('nas.example.com');
  await insertDomain(t, 'nas.example.com');
  await world.authority[Symbol.asyncDispose]();
  await using _scheduler = await startTestScheduler(t, world);
  const row = await whenCertificate(t, 'nas.example.com', ({ failures }) => failures > 0);
  expect(row).toMatchObject({ problem: 'authority-unreachable', claim: null });
  expect(row.nextTryAt.getTime() - Date.now()).toBeLessThan(2 * MINUTE_MS);
  await world[Symbol.asyncDispose]();
});

test.skipIf(!hasTestAuthority)(
  `the certificate of a deleted domain is neither served nor renewed; recreated, the domain uses it again${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.pointHere('nas.example.com');
    await insertDomain(t, 'nas.example.com');
    await using _scheduler = await startTestScheduler(t, world);
    const first = await whenCertificate(t, 'nas.example.com', ({ chain }) => chain !== null);

    await t.db.deleteFrom('mapping').execute();
    await notifyOfChange(t);
    await whenCertificate(t, 'nas.example.com', ({ wanted }) => !wanted);
    await makeDue(t);
    expect((await readEdge(t.db, sealingKey)).certificates).toEqual([]);

    await t.db.updateTable('certificate').set({ nextTryAt: first.nextTryAt }).execute();
    await insertDomain(t, 'nas.example.com');
    await notifyOfChange(t);
    const again = await whenCertificate(t, 'nas.example.com', ({ wanted }) => wanted);
    expect(again.chain).toBe(first.chain);
    expect((await readEdge(t.db, sealingKey)).certificates).toMatchObject([{ cert: first.chain }]);
  },
);

test.skipIf(!hasTestAuthority)(
  `certificates are ordered only for domains whose TLS ends at the relay${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    await insertDomain(t, 'off.example.com', { enabled: false });
    await insertDomain(t, 'passed.example.com', { kind: 'https', tlsPassthrough: true });
    await insertDomain(t, 'secure.example.com', { kind: 'https' });
    world.pointHere('off.example.com', 'passed.example.com', 'secure.example.com');
    await using _scheduler = await startTestScheduler(t, world);
    await whenCertificate(t, 'secure.example.com', ({ chain }) => chain !== null);
    expect((await readCertificates(t)).map(({ subject }) => subject)).toEqual(['secure.example.com']);
  },
);
