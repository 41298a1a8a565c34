import { type DeviceRoutes, pickOptions, type Route } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { listAppRoutes } from '../../cloud-apps/index.ts';
import { readFrpcToken } from '../../frpc-devices/index.ts';
import { type Allowance, allowanceOfDevice, bandwidthOf, planEndsAtMs } from '../../plans/index.ts';
import { listMappingsOfDevices, mappingDomain, type MappingRow, openingTimes } from '../../mappings/index.ts';

type RoutedDevice = {
  id: number;
  userId: number;
  uid: string;
  publicKey: Buffer | null;
  frpcTokenSealed: Buffer | null;
  frpcLogin: string | null;
  enabled: boolean;
  isSuspended: boolean;
  allowList: string[];
  bandwidthBps: number | null;
  allowance: Allowance | null;
};
type ChangedVerification = {
  id: number;
  mappingId: number;
  kind: 'cookie' | 'ip';
  visitorIp: string;
  expiresAt: Date;
  revokedAt: Date | null;
};

/** Values for devices without their own. */
export type RouteDefaults = {
  /** Bit/s in each direction; null is unlimited. */
  defaultBandwidthBps: number | null;
  /** The key of what relays get in plain text. */
  sealingKey: Buffer;
};

export type RouteCounts = { targets: number; proofs: number };

/** Counts the targets (mappings and cloud apps) and published proofs of these devices, each up to its limit plus one. */
export async function countRoutes(db: Db, deviceIds: number[], limits: RouteCounts): Promise<RouteCounts> {
  const { rows } = await sql<RouteCounts>`
    select
      (select count(*) from (
        select from mapping where device_id = any(${deviceIds}::integer[])
        union all select from cloud_app where device_id = any(${deviceIds}::integer[]) limit ${limits.targets + 1}
      ) as t) as targets,
      (select count(*) from (
        select from mapping join verification on verification.mapping_id = mapping.id
        where mapping.device_id = any(${deviceIds}::integer[]) and published_until > now() limit ${limits.proofs + 1}
      ) as v) as proofs`.execute(db);
  return rows[0] ?? { targets: 0, proofs: 0 };
}

/** Throws if the database is unavailable. */
export async function assertDatabaseAnswers(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** The ids of the next devices after this id, in order. */
export async function listDeviceIds(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('device').where('id', '>', after).orderBy('id').limit(limit).select('id').execute();
  return rows.map((row) => row.id);
}

/** Reads the device routes that relays need. A device that is missing in the result does not exist. */
export async function readRoutes(db: Db, deviceIds: number[], defaults: RouteDefaults): Promise<DeviceRoutes[]> {
  if (deviceIds.length === 0) return [];
  const devices = await db
    .selectFrom('device')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .where((eb) => eb('device.id', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .select(['device.id', 'userId', 'uid', 'publicKey', 'frpcTokenSealed', 'frpcLogin'])
    .select(['enabled', 'allowList', 'bandwidthBps'])
    .select(sql<boolean>`(user_account.disabled_at is not null or device.suspended_at is not null)`.as('isSuspended'))
    .select(allowanceOfDevice().as('allowance'))
    .orderBy('device.id')
    .execute();
  return await addRoutes(db, devices, defaults);
}

async function addRoutes(db: Db, devices: RoutedDevice[], defaults: RouteDefaults): Promise<DeviceRoutes[]> {
  const deviceIds = devices.map((device) => device.id);
  const mappings = Map.groupBy(await listMappingsOfDevices(db, deviceIds), (mapping) => mapping.deviceId);
  const apps = await listAppRoutes(db, deviceIds);
  const verifications = Map.groupBy(await readVerifications(db, deviceIds), (row) => row.mappingId);
  const windows = await readClientWindows(db, deviceIds);
  return devices.map((device) => ({
    deviceId: device.id,
    userId: device.userId,
    uid: device.uid,
    ...credentialOf(device, defaults.sealingKey),
    enabled: device.enabled && !device.isSuspended,
    ...(device.isSuspended && { isSuspended: true }),
    allowList: device.allowList,
    bandwidthBps: bandwidthOf(device, defaults.defaultBandwidthBps),
    ...(device.allowance && { planEndsAtMs: planEndsAtMs(device.allowance) }),
    routes: (mappings.get(device.id) ?? []).map((mapping) =>
      toRoute(mapping, verifications.get(mapping.id) ?? [], windows.get(mapping.id)?.getTime() ?? null),
    ),
    ...(apps.has(device.id) && { apps: apps.get(device.id) }),
  }));
}

function credentialOf(
  { uid, publicKey, frpcTokenSealed: sealed, frpcLogin }: RoutedDevice,
  sealingKey: Buffer,
): Pick<DeviceRoutes, 'publicKey' | 'frpcToken' | 'frpcLogin'> {
  if (sealed !== null)
    return { frpcToken: readFrpcToken(sealingKey, { uid, sealed }), ...(frpcLogin !== null && { frpcLogin }) };
  return publicKey === null ? {} : { publicKey: publicKey.toString('base64url') };
}

/** Reads what a relay does not learn from cookies: verified addresses, and extended or revoked verifications. */
async function readVerifications(db: Db, deviceIds: number[]): Promise<ChangedVerification[]> {
  if (deviceIds.length === 0) return [];
  return await db
    .selectFrom('verification')
    .innerJoin('mapping', 'mapping.id', 'verification.mappingId')
    .where((eb) => eb('mapping.deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .where('verification.publishedUntil', '>', sql<Date>`now()`)
    .select(['verification.id', 'verification.mappingId', 'verification.kind', 'verification.visitorIp'])
    .select(['verification.expiresAt', 'verification.revokedAt'])
    .orderBy('verification.id')
    .execute();
}

/** The open client windows by mapping. */
async function readClientWindows(db: Db, deviceIds: number[]): Promise<Map<number, Date>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('clientWindow')
    .innerJoin('mapping', 'mapping.id', 'clientWindow.mappingId')
    .where((eb) => eb('mapping.deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .where('clientWindow.claimedAt', 'is', null)
    .where('clientWindow.openUntil', '>', sql<Date>`now()`)
    .select(['clientWindow.mappingId', 'clientWindow.openUntil'])
    .execute();
  return new Map(rows.map((row) => [row.mappingId, row.openUntil]));
}

function toProofs(
  rows: ChangedVerification[],
): Pick<Route, 'verifiedIps' | 'extendedVerifications' | 'revokedVerifications'> {
  const valid = rows.filter((row) => row.revokedAt === null);
  return {
    verifiedIps: valid
      .filter((row) => row.kind === 'ip')
      .map((row) => ({ verificationId: row.id, ip: row.visitorIp, expiresAtMs: row.expiresAt.getTime() })),
    extendedVerifications: valid
      .filter((row) => row.kind === 'cookie')
      .map((row) => ({ verificationId: row.id, expiresAtMs: row.expiresAt.getTime() })),
    revokedVerifications: rows.filter((row) => row.revokedAt !== null).map((row) => row.id),
  };
}

function toRoute(mapping: MappingRow, verifications: ChangedVerification[], clientWindowUntilMs: number | null): Route {
  const { kind, port, targetHost, targetPort } = mapping;
  return {
    ...{ mappingId: mapping.id, kind, host: port === null ? mappingDomain(mapping) : '', port },
    isOwnDomain: mapping.customDomain !== null,
    ...{ targetHost, targetPort },
    ...pickOptions(mapping),
    policy: mapping.policy,
    enabled: mapping.enabled,
    ...(mapping.isOverPlanLimit && { isOverPlanLimit: true }),
    ...openingTimes(mapping),
    ...toProofs(verifications),
    clientWindowUntilMs,
    ...(mapping.frpcProxy !== null && { frpcProxy: mapping.frpcProxy }),
  };
}
