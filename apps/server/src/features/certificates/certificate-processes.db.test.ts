import { expect, test, vi } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { unseal } from '../../db/sealing.ts';
import { insertRelay, insertServer } from '../../testing/device-fixtures.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { readEdge } from './testing/read-edge.ts';
import { keyPurpose } from './sealing-purposes.ts';
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
import { hasTestAuthority, startTestAuthority, skipReason } from './testing/test-authority.ts';

// Each test starts a real authority.
vi.setConfig({ testTimeout: 60_000 });

const NAME = 'nas.example.com';
async function waitForAbort(_proofs: unknown, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted(); // the stop may have come before this call
  await new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

test.skipIf(!hasTestAuthority)(
  `two server processes order each certificate once, under one account${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    const names = Array.from({ length: 8 }, (_, index) => `n${index}.example.com`);
    for (const name of names) await insertDomain(t, name);
    world.pointHere(...names);
    const { log, lines } = captureLog();
    await using _one = await startTestScheduler(t, world, { log });
    await using _other = await startTestScheduler(t, world, { log });

    for (const name of names) await whenCertificate(t, name, ({ chain }) => chain !== null);

    const issued = lines.filter(({ msg }) => msg === 'certificate issued').map(({ subject }) => subject);
    expect(issued).toHaveLength(names.length);
    expect(new Set(issued)).toEqual(new Set(names));
    expect(new Set(world.visits).size).toBe(names.length);
    expect(await t.db.selectFrom('acmeAccount').select('accountUrl').execute()).toHaveLength(1);
  },
);

test.skipIf(!hasTestAuthority)(`after a crash another process continues the same order${skipReason}`, async () => {
  await using t = await openTestDb();
  await using world = await openAcmeWorld(t);
  world.pointHere(NAME);
  await insertDomain(t, NAME);
  const crashed = await startTestScheduler(t, world, { awaitRelays: waitForAbort });
  const open = await whenCertificate(t, NAME, ({ orderUrl }) => orderUrl !== null);
  await crashed[Symbol.asyncDispose]();
  // A crash leaves the claim, which the stop above released.
  const claim = { claim: open.claim, claimedUntil: new Date(Date.now() + 600_000) };
  await t.db.updateTable('certificate').set(claim).execute();

  const { log, lines } = captureLog();
  await insertDomain(t, 'other.example.com');
  world.pointHere('other.example.com');
  await using _next = await startTestScheduler(t, world, { log });
  await whenCertificate(t, 'other.example.com', ({ chain }) => chain !== null);
  expect((await readCertificates(t))[0]).toMatchObject({ claim: open.claim, chain: null, failures: 0 });
  await t.db
    .updateTable('certificate')
    .set({ claimedUntil: new Date(0) })
    .where('subject', '=', NAME)
    .execute();
  await notifyOfChange(t);

  await whenCertificate(t, NAME, ({ chain }) => chain !== null);
  const key = unseal(sealingKey, open.orderKeySealed!, keyPurpose(NAME));
  expect((await readEdge(t.db, sealingKey)).certificates).toContainEqual(expect.objectContaining({ key }));
  expect(lines.filter(({ msg }) => msg === 'certificate issued')).toHaveLength(2);
});

test.skipIf(!hasTestAuthority)(
  `a stop during an order counts no failure, and the next start continues it at once${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.pointHere(NAME);
    await insertDomain(t, NAME);
    const stopped = await startTestScheduler(t, world, { awaitRelays: waitForAbort });
    const open = await whenCertificate(t, NAME, ({ orderUrl }) => orderUrl !== null);
    await stopped[Symbol.asyncDispose]();
    expect((await readCertificates(t))[0]).toMatchObject({ claim: null, failures: 0, orderUrl: open.orderUrl });
    expect((await readEdge(t.db, sealingKey)).challenges).toEqual([]);

    await using _next = await startTestScheduler(t, world);
    await whenCertificate(t, NAME, ({ chain }) => chain !== null);
    const key = unseal(sealingKey, open.orderKeySealed!, keyPurpose(NAME));
    expect((await readEdge(t.db, sealingKey)).certificates).toMatchObject([{ key }]);
  },
);

test.skipIf(!hasTestAuthority)(
  `a certificate that was issued before a crash is downloaded, not ordered again${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.pointHere(NAME);
    await insertDomain(t, NAME);
    let open: { orderUrl: string | null; orderKeySealed: Buffer | null } | undefined;
    await using _scheduler = await startTestScheduler(t, world, {
      awaitRelays: async () => void (open = (await readCertificates(t))[0]),
    });
    const first = await whenCertificate(t, NAME, ({ chain }) => chain !== null);
    const unfetched = {
      chain: null,
      keySealed: null,
      issuedNames: null,
      issuedBy: null,
      notBefore: null,
      notAfter: null,
    };
    const { orderUrl, orderKeySealed } = open!;
    await t.db
      .updateTable('certificate')
      .set({ ...unfetched, orderUrl, orderKeySealed })
      .execute();
    await makeDue(t);

    const again = await whenCertificate(t, NAME, ({ chain }) => chain !== null);
    expect(again.chain).toBe(first.chain);
  },
);

test.skipIf(!hasTestAuthority)(`a short-lived certificate is renewed${skipReason}`, async () => {
  await using t = await openTestDb();
  await using world = await openAcmeWorld(t, { validitySeconds: 6 });
  world.pointHere(NAME);
  await insertDomain(t, NAME);
  await using _scheduler = await startTestScheduler(t, world);
  const first = await whenCertificate(t, NAME, ({ chain }) => chain !== null);
  expect(first.nextTryAt.getTime()).toBeLessThan(first.notAfter!.getTime());
  const second = await whenCertificate(t, NAME, ({ chain }) => chain !== first.chain);
  expect(second.keySealed).not.toEqual(first.keySealed);
});

test.skipIf(!hasTestAuthority)(
  `a failed renewal leaves the valid certificate in place and stores the reason${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.pointHere(NAME);
    await insertDomain(t, NAME);
    await using _scheduler = await startTestScheduler(t, world);
    const first = await whenCertificate(t, NAME, ({ chain }) => chain !== null);
    world.dns.set('A', NAME, ['127.0.0.9']);
    // Pebble uses one in a hundred valid authorizations again, even with PEBBLE_AUTHZREUSE=0. A restarted one has none.
    await world.resetAuthority();
    await makeDue(t);
    const failed = await whenCertificate(t, NAME, ({ problem }) => problem !== null);
    expect(failed).toMatchObject({ problem: 'connection-failed', chain: first.chain });
    expect((await readEdge(t.db, sealingKey)).certificates).toMatchObject([{ cert: first.chain }]);
  },
);

test.skipIf(!hasTestAuthority)(
  `an account that the authority no longer knows is created again${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.pointHere(NAME);
    await insertDomain(t, NAME);
    await using _scheduler = await startTestScheduler(t, world);
    const first = await whenCertificate(t, NAME, ({ chain }) => chain !== null);
    await world.resetAuthority();
    await makeDue(t);
    await whenCertificate(t, NAME, ({ chain }) => chain !== first.chain);
  },
);

test.skipIf(!hasTestAuthority)(
  `certificates of another authority are replaced at the next start${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    await using other = await startTestAuthority({ httpPort: world.httpPort, dnsPort: world.dns.port });
    world.pointHere(NAME);
    await insertDomain(t, NAME);
    const before = await startTestScheduler(t, world);
    const first = await whenCertificate(t, NAME, ({ chain }) => chain !== null);
    await before[Symbol.asyncDispose]();
    await using _after = await startTestScheduler(t, world, { acme: { directoryUrl: other.directoryUrl } });
    await whenCertificate(t, NAME, ({ chain }) => chain !== first.chain);
    expect(await t.db.selectFrom('acmeAccount').select('directoryUrl').execute()).toHaveLength(2);
  },
);

test.skipIf(!hasTestAuthority)(
  `a console name that is added later becomes part of the certificate${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    const names = ['console.example.com', 'www.example.com'];
    world.pointHere(...names);
    const plan = (count: number) =>
      [{ subject: 'console.example.com', names: names.slice(0, count), challenge: 'http-01' }] as const;
    const before = await startTestScheduler(t, world, { planned: [...plan(1)] });
    await whenCertificate(t, 'console.example.com', ({ issuedNames }) => issuedNames?.length === 1);
    await before[Symbol.asyncDispose]();
    await using _after = await startTestScheduler(t, world, { planned: [...plan(2)] });
    await whenCertificate(t, 'console.example.com', ({ issuedNames }) => issuedNames?.length === 2);
    expect((await readEdge(t.db, sealingKey)).certificates).toMatchObject([{ names }]);
  },
);

test.skipIf(!hasTestAuthority)(
  `nothing is ordered before a relay is connected that can answer the authority${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    world.pointHere(NAME);
    await insertDomain(t, NAME);
    const serverId = await insertServer(t.db);
    await insertRelay(t.db, { serverId, silentSeconds: 5 }); // of an earlier start
    await using _scheduler = await startTestScheduler(t, world, { hasRelay: false });
    const due = await whenCertificate(t, NAME, () => true);
    expect(due).toMatchObject({ claim: null, orderUrl: null });
    expect(world.dns.queries).toEqual([]);

    await insertRelay(t.db, { serverId });
    await whenCertificate(t, NAME, ({ chain }) => chain !== null);
  },
);

test.skipIf(!hasTestAuthority)(
  `an owner with many failing domains gets no order for another one; other owners do${skipReason}`,
  async () => {
    await using t = await openTestDb();
    await using world = await openAcmeWorld(t);
    const { userId: owner } = await insertDomain(t, 'failing0.example.com');
    for (let index = 1; index < 20; index++) await insertDomain(t, `failing${index}.example.com`, { owner });
    await using _scheduler = await startTestScheduler(t, world);
    for (let index = 0; index < 20; index++)
      await whenCertificate(t, `failing${index}.example.com`, ({ problem }) => problem === 'name-unresolved');

    world.pointHere('further.example.com', 'other.example.com');
    await insertDomain(t, 'further.example.com', { owner });
    await insertDomain(t, 'other.example.com');
    await notifyOfChange(t);
    await whenCertificate(t, 'other.example.com', ({ chain }) => chain !== null);
    const waiting = await whenCertificate(t, 'further.example.com', () => true);
    expect(waiting).toMatchObject({ chain: null, failures: 0, claim: null });

    world.pointHere('failing7.example.com');
    await makeDue(t);
    await whenCertificate(t, 'further.example.com', ({ chain }) => chain !== null);
  },
);
