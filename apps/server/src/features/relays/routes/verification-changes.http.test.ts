import type { DeviceRoutes, VerificationRecord } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertMapping, insertUser } from '../../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../../testing/apps/open-gate-app.ts';
import { openTestHub, relaySecret } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';
import { deleteOldVerifications } from '../../verifications/index.ts';

const verifications = '/api/user/verifications/';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

async function extend({ owner }: Gate, id: number, hours: number) {
  return await owner.call('PATCH', `${verifications}${id}/`, { extend_hours: hours });
}

function hoursOf(reply: { body: unknown }): number {
  return Math.round((Date.parse((reply.body as VerificationRecord).expires_at) - Date.now()) / 3_600_000);
}

test('an extension counts from now, never shortens a verification, and reaches the relays', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { verificationId } = await gate.redeem(ticketOf(await check(gate.owner)));
  await using hub = await openTestHub(t);
  await using relay = await TestRelay.connect(hub.port, relaySecret);
  relay.hello();
  await relay.next('snapshot');
  const nextRoute = async (): Promise<DeviceRoutes['routes'][number] | undefined> =>
    (await relay.next('device')).device.routes[0];

  expect(hoursOf(await extend(gate, verificationId, 720))).toBe(720);
  expect((await nextRoute())?.extendedVerifications).toMatchObject([{ verificationId }]);
  expect(hoursOf(await extend(gate, verificationId, 1))).toBe(720);
  await nextRoute();
  await gate.owner.call('DELETE', `${verifications}${verificationId}/`);
  expect(await nextRoute()).toMatchObject({ extendedVerifications: [], revokedVerifications: [verificationId] });
  expect(await extend(gate, verificationId, 1)).toMatchObject({ status: 409, body: { code: 'verification.revoked' } });
});

test('an expired verification can be extended', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { verificationId } = await gate.redeem(ticketOf(await check(gate.owner)));
  const past = sql<Date>`now() - interval '1 hour'`;
  await t.db.updateTable('verification').set({ expiresAt: past, cookieExpiresAt: past }).execute();

  expect(hoursOf(await extend(gate, verificationId, 48))).toBe(48);
});

test('an account has at most 1 000 extended verifications and verified addresses, which can be extended again', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { verificationId } = await gate.redeem(ticketOf(await check(gate.owner)));
  const inAYear = sql<Date>`now() + interval '1 year'`;
  const place = { ownerId: gate.userId, deviceId: gate.deviceId, mappingId: gate.mappingId, host: 'nas.localhost' };
  const proof = { ...place, visitorIp: '203.0.113.1', userAgent: '' };
  const cookie = { ...proof, cookieExpiresAt: sql<Date>`now()`, expiresAt: inAYear };
  const address = { ...proof, kind: 'ip', grantedBy: 'own_address', expiresAt: inAYear } as const;
  const [extended] = await t.db
    .insertInto('verification')
    .values([...Array.from({ length: 999 }, () => cookie), address])
    .returning('id')
    .execute();

  const full = { status: 409, body: { code: 'verification.limit-reached' } };
  expect(await extend(gate, verificationId, 72)).toMatchObject(full);
  expect(await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/verified_ip/`)).toMatchObject(full);
  expect(await extend(gate, extended?.id ?? 0, 1)).toMatchObject({ status: 200 });
  await gate.owner.call('DELETE', `${verifications}${extended?.id}/`);
  expect(await extend(gate, verificationId, 72)).toMatchObject({ status: 200 });
});

test('another user’s verification, or an invalid number of hours, is refused', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { verificationId } = await gate.redeem(ticketOf(await check(gate.owner)));
  const owner = await gate.app.browserOf(await insertUser(t.db, 'zhao'));

  expect((await extend({ ...gate, owner }, verificationId, 1)).status).toBe(404);
  for (const hours of [0, -1, 8_761, 1.5]) expect((await extend(gate, verificationId, hours)).status).toBe(422);
});

test('records are filtered by device, mapping, state, grounds and text', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const otherDevice = await insertDevice(t.db, gate);
  const other = await insertMapping(t.db, { ...gate, deviceId: otherDevice, prefix: 'cam' });
  const { userId, deviceId } = gate;
  const base = { ownerId: userId, userId, deviceId, userAgent: 'x', expiresAt: sql<Date>`now() + interval '1 hour'` };
  const cookie = { ...base, kind: 'cookie' as const, cookieExpiresAt: sql<Date>`now() + interval '1 hour'` };
  const ended = { revokedAt: sql<Date>`now()` };
  const cam = { deviceId: otherDevice, mappingId: other, host: 'cam.localhost' };
  const past = sql<Date>`now() - interval '1 hour'`;
  await t.db
    .insertInto('verification')
    .values([
      { ...cookie, mappingId: gate.mappingId, host: 'nas.localhost', visitorIp: '203.0.113.1', who: '李_雷' },
      { ...cookie, ...cam, visitorIp: '203.0.113.2', grantedBy: 'share', who: '家人' },
      { ...cookie, ...ended, ...cam, visitorIp: '203.0.113.3', grantedBy: 'password' },
    ])
    .execute();
  await t.db
    .insertInto('verification')
    .values({
      ...{ ...base, expiresAt: past, kind: 'ip', grantedBy: 'mark_client' },
      ...{ mappingId: gate.mappingId, host: 'nas.localhost', visitorIp: '203.0.113.4' },
    })
    .execute();
  const ips = async (query: object): Promise<string> => {
    const search = new URLSearchParams(query as Record<string, string>);
    const { body } = await gate.owner.call('GET', `${verifications}?${search.toString()}`);
    const { count, results } = body as { count: number; results: VerificationRecord[] };
    expect(count).toBe(results.length);
    return results.map(({ ip }) => ip.at(-1)).join('');
  };

  expect(await ips({})).toBe('4321');
  expect(await ips({ router: otherDevice })).toBe('32');
  expect(await ips({ mapping: gate.mappingId })).toBe('41');
  expect(await ips({ state: 'active' })).toBe('21');
  expect(await ips({ state: 'expired' })).toBe('4');
  expect(await ips({ state: 'revoked' })).toBe('3');
  expect(await ips({ granted_by: 'mark_client' })).toBe('4');
  expect(await ips({ search: '113.2' })).toBe('2');
  expect(await ips({ search: 'CAM' })).toBe('32');
  expect(await ips({ search: '家' })).toBe('2');
  expect(await ips({ search: '_' })).toBe('1');
  expect(await ips({ search: '%' })).toBe('');
  expect(await ips({ state: 'active', search: 'nas' })).toBe('1');
  expect(await ips({ router: 999_999 })).toBe('');
});

test('records are kept for 90 days after their end, also if the visitor’s account is deleted', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await gate.redeem(ticketOf(await check(gate.owner)));
  const days = (count: number) => sql<Date>`now() - make_interval(days => ${count})`;
  const visitor = await insertUser(t.db, 'zhao');
  await t.db
    .updateTable('verification')
    .set({ userId: visitor, expiresAt: days(89) })
    .execute();

  await t.db.deleteFrom('userAccount').where('id', '=', visitor).execute();
  await deleteOldVerifications(t.db);
  expect(await gate.records()).toHaveLength(1);

  const inAYear = sql<Date>`now() + interval '1 year'`;
  await t.db
    .updateTable('verification')
    .set({ expiresAt: inAYear, revokedAt: days(91) })
    .execute();
  await deleteOldVerifications(t.db);
  expect(await gate.records()).toEqual([]);
});
