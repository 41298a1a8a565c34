import { expect, test } from 'vitest';
import { notify } from '../../../db/notify.ts';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { insertServer } from '../../../testing/device-fixtures.ts';
import { retryAcrossHours } from '../../../testing/retry-across-hours.ts';
import { ticketKeysAt, ticketKeysEndInMs } from './ticket-keys.ts';
import { insertCertificate, sealingKey } from '../testing/insert-certificate.ts';
import { openTestHub, relaySecret } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';

const DAY_MS = 86_400_000;

/** Opens a database with the region to which relays belong. */
async function openTestRegion(): Promise<TestDb> {
  const t = await openTestDb();
  await insertServer(t.db);
  return t;
}

test(
  'a relay gets the edge state after each snapshot',
  retryAcrossHours(async () => {
    await using t = await openTestRegion();
    await insertCertificate(t, 'nas.example.com');
    await using server = await openTestHub(t);
    await using relay = await TestRelay.connect(server.port, relaySecret);
    relay.hello();

    await relay.next('snapshot');
    const first = await relay.next('edge');
    const { certificates } = await relay.next('certificates');
    expect(certificates).toEqual([
      { id: 1, names: ['nas.example.com'], cert: 'chain of nas.example.com', key: 'key of nas.example.com' },
    ]);
    expect((await relay.next('certificates_kept')).ids).toEqual([1]);
    expect(first.edge.challenges).toEqual([]);
    expect(Buffer.from(first.edge.ticketKeys, 'base64url')).toHaveLength(48);

    relay.send({ type: 'resync' });
    await relay.next('snapshot');
    expect(await relay.next('edge')).toEqual(first);
    expect((await relay.next('certificates')).certificates).toEqual(certificates);
    expect((await relay.next('certificates_kept')).ids).toEqual([1]);
  }),
);

test(
  'relays of all server processes get each change',
  retryAcrossHours(async () => {
    await using t = await openTestRegion();
    await using one = await openTestHub(t);
    await using other = await openTestHub(t);
    await using near = await TestRelay.connect(one.port, relaySecret);
    await using far = await TestRelay.connect(other.port, relaySecret);
    near.hello([], 'near');
    far.hello([], 'far');
    const keys = (await near.next('edge')).edge.ticketKeys;
    expect((await far.next('edge')).edge.ticketKeys).toBe(keys);
    for (const relay of [near, far]) expect((await relay.next('certificates_kept')).ids).toEqual([]);

    await insertCertificate(t, 'nas.example.com');
    const { id } = await t.db.selectFrom('certificate').select('id').executeTakeFirstOrThrow();
    const answer = { token: 'token', keyAuthorization: 'token.thumbprint' };
    const expiresAt = new Date(Date.now() + DAY_MS);
    await t.db
      .insertInto('acmeChallenge')
      .values({ ...answer, certificateId: id, expiresAt })
      .execute();
    await notify(t.db, 'edge_changed', {});
    for (const relay of [near, far]) {
      expect((await relay.next('edge')).edge.challenges).toEqual([answer]);
      const { certificates } = await relay.next('certificates');
      expect(certificates.map(({ names }) => names)).toEqual([['nas.example.com']]);
    }

    await t.db.deleteFrom('certificate').execute();
    await notify(t.db, 'edge_changed', {});
    for (const relay of [near, far]) {
      expect((await relay.next('edge')).edge.challenges).toEqual([]);
      expect((await relay.next('certificates_kept')).ids).toEqual([]);
    }
  }),
);

test('certificates are sent at the pace of a slow relay, and neither other relays nor the server’s stop wait for it', async () => {
  await using t = await openTestRegion();
  for (let index = 0; index < 20; index++)
    await insertCertificate(t, `n${index}.example.com`, { chain: 'c'.repeat(1024 * 1024) });
  await using server = await openTestHub(t);
  await using slow = await TestRelay.connect(server.port, relaySecret);
  await using stuck = await TestRelay.connect(server.port, relaySecret);
  await using quick = await TestRelay.connect(server.port, relaySecret);
  for (const [relay, name] of [
    [slow, 'slow'],
    [stuck, 'stuck'],
    [quick, 'quick'],
  ] as const)
    relay.hello([], name);
  await Promise.all([slow.next('snapshot'), stuck.next('snapshot')]);
  stuck.pause();
  slow.pause();
  expect((await quick.next('certificates_kept')).ids).toHaveLength(20);
  slow.resume();
  expect((await slow.next('certificates_kept')).ids).toHaveLength(20);
});

test('expired certificates and those of removed domains are not sent; those of the console are sent until they expire', async () => {
  await using t = await openTestRegion();
  await insertCertificate(t, 'ended.example.com', { endsInMs: -1 });
  await insertCertificate(t, 'removed.example.com', { wanted: false });
  await insertCertificate(t, 'console.example.com', { wanted: false, origin: 'console' });
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello();
  const { certificates } = await relay.next('certificates');
  expect(certificates.map(({ names }) => names)).toEqual([['console.example.com']]);
  expect((await relay.next('certificates_kept')).ids).toEqual(certificates.map(({ id }) => id));
});

test('after a lost notification connection every relay gets the edge state again', async () => {
  await using t = await openTestRegion();
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello();
  await relay.next('certificates_kept');
  await insertCertificate(t, 'nas.example.com'); // without a notification
  await t.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'tongtu-listen'`);
  expect((await relay.next('certificates')).certificates).toHaveLength(1);
});

test('ticket keys are the same in every process, change at midnight UTC and depend on the secret', () => {
  const evening = Date.parse('2026-11-21T23:59:59.999Z');
  const key = Buffer.alloc(32, 1);
  expect(ticketKeysAt(key, evening)).toBe(ticketKeysAt(Buffer.alloc(32, 1), Date.parse('2026-11-21T00:00:00Z')));
  expect(ticketKeysAt(key, evening)).not.toBe(ticketKeysAt(key, evening + 1));
  expect(ticketKeysAt(key, evening)).not.toBe(ticketKeysAt(sealingKey, evening));
  expect(ticketKeysEndInMs(evening)).toBe(1);
  expect(ticketKeysEndInMs(evening + 1)).toBe(DAY_MS);
});
