import { denialOf, type MappingPolicy } from '@tongtu/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertHome, insertMapping } from '../../../testing/device-fixtures.ts';
import { noHttps } from '../../../testing/apps/open-gate-app.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { registerGateRoutes } from '../../gate/index.ts';
import { verifyPassword } from '../../users/index.ts';
import { readRoutes } from './route-store.ts';

const wallClockMs = Date.now();
const minuteNow = Math.floor(wallClockMs / 60_000 + 8 * 60) % (24 * 60);

const mostly = fc.constantFrom(true, true, true, false);
const fromNow = (minutes: number) => new Date(wallClockMs + minutes * 60_000);
const times = fc.constantFrom(
  { opensAt: null, closesAt: null },
  { opensAt: fromNow(-2), closesAt: fromNow(2) },
  { opensAt: fromNow(1), closesAt: null },
  { opensAt: null, closesAt: fromNow(-1) },
);
const hours = fc.option(
  fc
    .record({
      hoursDays: fc
        .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
        .map((days) => days.toSorted((a, b) => a - b)),
      hoursFrom: fc.constantFrom(0, minuteNow),
      hoursTo: fc.constantFrom(minuteNow, 1440),
    })
    .filter(({ hoursFrom, hoursTo }) => hoursFrom !== hoursTo),
);
const verifiedAddresses = ['203.0.113.7', '2001:db8::7', '::c000:207'];
const addresses = [
  '203.0.113.7',
  '203.0.113.8',
  '2001:db8::7',
  '2001:DB8:0::7',
  '2001:db8:1::1',
  '::192.0.2.7',
  '192.0.2.7',
];
const situation = fc.record({
  policy: fc.constantFrom<MappingPolicy>('owner', 'password', 'public', 'closed'),
  enabled: mostly,
  deviceEnabled: mostly,
  times,
  hours,
  allowList: fc.subarray(['203.0.113.0/29', '2001:db8::/64', '198.51.100.1', '::c000:200/120', 'none', '::/1']),
  verified: fc.option(
    fc.record({ ip: fc.constantFrom(...verifiedAddresses), isExpired: fc.boolean(), isRevoked: fc.boolean() }),
  ),
  address: fc.constantFrom(...addresses, '::ffff:203.0.113.7'),
});

test('the console reports an address as registered exactly when the relay lets it pass', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  const deps = { publicUrl: 'http://localhost:8080', tlsPort: 8443, allowedPorts: [8080], ...noHttps, verifyPassword };
  await using app = await openTestApp(t.db, (on) =>
    registerGateRoutes(on, { ...deps, db: t.db, wallClockMs: () => wallClockMs }),
  );
  const browser = app.browser();
  await browser.call('GET', '/custom/check/?url=http://nas.localhost:8080/'); // sets the cookies of a browser
  const outcomes = new Set<unknown>();

  const agree = fc.asyncProperty(situation, async (given) => {
    const { policy, enabled, deviceEnabled, allowList, verified, address } = given;
    const hoursOfDay = given.hours ?? { hoursDays: null, hoursFrom: null, hoursTo: null };
    const passwordHash = policy === 'password' ? 'x' : null;
    const mapping = { policy, enabled, passwordHash, ...given.times, ...hoursOfDay };
    await t.db.updateTable('mapping').set(mapping).execute();
    await t.db.updateTable('device').set({ enabled: deviceEnabled, allowList }).execute();
    await sql`delete from verification`.execute(t.db);
    await sql`delete from rate_count`.execute(t.db);
    if (verified !== null)
      await sql`
        insert into verification (owner_id, user_id, device_id, mapping_id, host, kind, granted_by, visitor_ip, user_agent,
          expires_at, revoked_at)
        values (${home.userId}, ${home.userId}, ${home.deviceId}, ${mappingId}, 'nas.localhost', 'ip', 'own_address',
          ${verified.ip}, '', now() + make_interval(hours => ${verified.isExpired ? -1 : 1}::integer),
          ${verified.isRevoked ? new Date(wallClockMs) : null}::timestamptz)`.execute(t.db);

    const body = { url: 'http://nas.localhost:8080/' };
    const reply = await browser.call('POST', '/ip/checkUserDidRegisterIP', body, { 'x-forwarded-for': address });
    const [device] = await readRoutes(t.db, [home.deviceId], {
      defaultBandwidthBps: null,
      sealingKey: Buffer.alloc(32, 2),
    });
    const route = device!.routes[0]!; // the mapping made above
    const denial = denialOf({ route, owner: { device: device! } }, { address, proof: undefined }, wallClockMs);
    expect(reply.body).toMatchObject({ registered: denial === undefined });
    outcomes.add(denial);
  });
  const anyone = { enabled: true, deviceEnabled: true, times: { opensAt: null, closesAt: null }, hours: null };
  const nobody = { ...anyone, allowList: [], verified: null, address: '203.0.113.8' };
  await fc.assert(agree, {
    numRuns: 60,
    examples: [[{ ...nobody, policy: 'owner' }], [{ ...nobody, policy: 'public' }]],
  });
  expect(outcomes).toContain(undefined);
  expect(outcomes).toContain('needs-verification');
});
