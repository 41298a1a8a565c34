import { pino } from 'pino';
import { sql } from 'kysely';
import { openDb, type Db } from '../../../db/driver.ts';
import { migrate } from '../../../db/migrate.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { insertRelay, insertServer, insertUser } from '../../../testing/device-fixtures.ts';
import { registerDeviceRoutes } from '../device-routes.ts';
import { noChecks } from '../../../testing/no-checks.ts';

export type MeasuredDevices = AsyncDisposable & {
  app: TestApp;
  /** The owner of all the devices, and somebody with one. */
  ownerId: number;
  otherId: number;
};

type Fill = { ownerId: number; serverId: number; deviceCount: number; mappingsEach: number };

/** A database in an empty folder with one account that has so many devices, and the calls about devices. */
export async function openMeasuredDevices(
  dir: string,
  { deviceCount, mappingsEach }: { deviceCount: number; mappingsEach: number },
): Promise<MeasuredDevices> {
  await using parts = new AsyncDisposableStack();
  const { db } = parts.use(await openDb({ embeddedDir: dir }, pino({ level: 'silent' })));
  await migrate(db);
  const serverId = await insertServer(db);
  await insertRelay(db, { serverId, silentSeconds: -3600 });
  const ownerId = await insertUser(db, 'owner');
  const otherId = await insertUser(db, 'other');
  await fill(db, { ownerId, serverId, deviceCount, mappingsEach });
  await fill(db, { ownerId: otherId, serverId, deviceCount: 1, mappingsEach });
  await sql`vacuum analyze`.execute(db);
  const deps = { db, version: '1', publicUrl: 'http://localhost:8080', tlsPort: 8443, monotonicMs: () => 0 };
  const app = parts.use(
    await openTestApp(db, (fastify) =>
      registerDeviceRoutes(fastify, { ...deps, defaultBandwidthBps: null, ...noChecks }),
    ),
  );
  const opened = parts.move();
  return { app, ownerId, otherId, [Symbol.asyncDispose]: async () => await opened.disposeAsync() };
}

/** Devices in groups of 50, four of five online, each with web mappings that were used in each hour of the last day. */
async function fill(db: Db, { ownerId, serverId, deviceCount, mappingsEach }: Fill): Promise<void> {
  await sql`
    insert into device (user_id, server_id, uid, public_key, name, group_name, pinned)
    select ${ownerId}, ${serverId}, substr(md5(${`${ownerId} `} || n), 1, 12),
      sha256(convert_to(${`${ownerId} `} || n, 'UTF8')), '门店 ' || n, '分区 ' || n / 50, n % 100 = 0
    from generate_series(1, ${deviceCount}::integer) as n`.execute(db);
  await sql`
    insert into device_presence (device_id, relay_id, epoch, online, offline_reason, changed_at, public_ip, agent_version, platform)
    select id, 'r1', id, id % 5 <> 0, case when id % 5 = 0 then 'connection_lost' end, now(), '203.0.113.7', '0.1.0', 'linux-x64' from device
    where user_id = ${ownerId}`.execute(db);
  await sql`
    insert into mapping (device_id, server_id, kind, prefix, target_host, target_port, policy, remark)
    select id, server_id, 'http', 'm' || id || '-' || n, '192.168.1.' || n, 5000, 'owner', '相册 ' || n
    from device, generate_series(1, ${mappingsEach}::integer) as n where user_id = ${ownerId}`.execute(db);
  await sql`
    insert into mapping_usage_hour (mapping_id, hour, bytes_in, bytes_out, requests, ok, client_errors, server_errors,
      failed, first_byte_ms, answered)
    select mapping.id, date_trunc('hour', now()) - make_interval(hours => n), 1000, 100000, 20, 20, 0, 0, 0,
      200, 20
    from mapping join device on device.id = device_id, generate_series(0, 23) as n
    where user_id = ${ownerId}`.execute(db);
}
