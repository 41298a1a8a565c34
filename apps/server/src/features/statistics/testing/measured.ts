import { sql } from 'kysely';
import { pino } from 'pino';
import { openDb } from '../../../db/driver.ts';
import { migrate } from '../../../db/migrate.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { insertRelay, insertServer, insertUser, usageOf } from '../../../testing/device-fixtures.ts';
import { storeUsage } from '../../usage/index.ts';
import { registerStatisticsRoutes } from '../statistics-routes.ts';
import { fillStatistics } from './fill-statistics.ts';

export type MeasuredStatistics = AsyncDisposable & {
  app: TestApp;
  ownerId: number;
  /** The ids of a device and of one of its mappings. */
  router: number;
  mapping: number;
  /** Stores a report of a relay with the usage of so many mappings. */
  report: (mappings: number) => Promise<void>;
};

/** A database in an empty folder with an account that has so many devices and two years of usage, and the calls about it. */
export async function openMeasuredStatistics(
  dir: string,
  { deviceCount, mappingsEach }: { deviceCount: number; mappingsEach: number },
): Promise<MeasuredStatistics> {
  await using parts = new AsyncDisposableStack();
  const { db } = parts.use(await openDb({ embeddedDir: dir }, pino({ level: 'silent' })));
  await migrate(db);
  const serverId = await insertServer(db);
  await insertRelay(db, { serverId, silentSeconds: -3600 });
  const ownerId = await insertUser(db, 'owner');
  await sql`
    insert into device (user_id, server_id, uid, public_key, name)
    select ${ownerId}, ${serverId}, substr(md5(n::text), 1, 12), sha256(convert_to(n::text, 'UTF8')), '门店 ' || n
    from generate_series(1, ${deviceCount}::integer) as n`.execute(db);
  const { rows } = await sql<{ id: number; deviceId: number }>`
    insert into mapping (device_id, server_id, kind, prefix, target_host, target_port, policy)
    select id, server_id, 'http', 'm' || id || '-' || n, '192.168.1.' || n, 5000, 'owner'
    from device, generate_series(1, ${mappingsEach}::integer) as n returning id, device_id`.execute(db);
  await fillStatistics(db, ownerId);
  const app = parts.use(await openTestApp(db, (fastify) => registerStatisticsRoutes(fastify, { db })));
  const [first] = rows;
  if (first === undefined) throw new Error('nothing was measured without a mapping');
  let sequence = 0;
  const report = async (mappings: number) => {
    const networks: [string, number][] = [['113.92.1.1', 3]];
    const entries = rows.slice(0, mappings).map(({ id }) => usageOf(id, { requests: 3, bytesIn: 9, networks }));
    const deps = { db, sourceKey: Buffer.alloc(32) };
    await storeUsage(deps, { relayId: 'r1', bootId: 'boot', sequence: ++sequence, entries });
  };
  const opened = parts.move();
  return {
    ...{ app, ownerId, router: first.deviceId, mapping: first.id, report },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}
