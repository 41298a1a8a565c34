import type { DeviceRoutes, VerificationRecord } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { insertHome, insertMapping } from '../../../testing/device-fixtures.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { registerVerificationRoutes } from '../../verifications/index.ts';
import { announceDeviceChange } from '../../live/index.ts';
import { openTestHub, relaySecret } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';

/** Opens the console of an owner with a TCP mapping, and a relay with its routes. */
async function openOwnerAndRelay(t: TestDb) {
  await using parts = new AsyncDisposableStack();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, kind: 'tcp', port: 20_022 });
  const { port } = parts.use(await openTestHub(t));
  const app = parts.use(
    await openTestApp(t.db, (on) => registerVerificationRoutes(on, { db: t.db, placeOf: () => '' })),
  );
  const relay = parts.use(await TestRelay.connect(port, relaySecret));
  relay.hello();
  await relay.next('snapshot');
  const browser = await app.browserOf(home.userId);
  const running = parts.move();
  return {
    ...home,
    relay,
    verify: async (ip: string): Promise<VerificationRecord> => {
      const url = `/api/user/records/${mappingId}/verified_ip/`;
      return (await browser.call('POST', url, undefined, { 'x-forwarded-for': ip })).body as VerificationRecord;
    },
    revoke: async (id: number) => await browser.call('DELETE', `/api/user/verifications/${id}/`),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

async function nextRoute(relay: TestRelay): Promise<DeviceRoutes['routes'][number] | undefined> {
  return (await relay.next('device')).device.routes[0];
}

test('a verified address reaches the relays, and so does its revocation', async () => {
  await using t = await openTestDb();
  await using owner = await openOwnerAndRelay(t);

  const { id, expires_at } = await owner.verify('203.0.113.9');
  const verified = { verificationId: id, ip: '203.0.113.9', expiresAtMs: Date.parse(expires_at) };
  expect(await nextRoute(owner.relay)).toMatchObject({ verifiedIps: [verified], revokedVerifications: [] });

  await owner.revoke(id);
  expect(await nextRoute(owner.relay)).toMatchObject({ verifiedIps: [], revokedVerifications: [] });
});

test('expired verifications are not sent to relays, revoked or not', async () => {
  await using t = await openTestDb();
  await using owner = await openOwnerAndRelay(t);
  await owner.verify('203.0.113.9');
  await owner.revoke((await owner.verify('203.0.113.10')).id);
  await t.db
    .updateTable('verification')
    .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
    .execute();
  await announceDeviceChange(t.db, owner);

  const routes = [];
  do routes.push(await nextRoute(owner.relay));
  while (routes.at(-1)?.verifiedIps.length !== 0 || routes.at(-1)?.revokedVerifications.length !== 0);
  expect(routes.at(-1)).toMatchObject({ verifiedIps: [], revokedVerifications: [] });
});
