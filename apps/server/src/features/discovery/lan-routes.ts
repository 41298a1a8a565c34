import { AppError, type Lan, type LanHost, type LanScan } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { type DeviceRow, findDevice } from '../devices/index.ts';
import { deleteHostsOfDevice, type LanHostRow, type LanServiceRow, listHosts, listServices } from './lan-host-store.ts';
import { deleteScan, findScan, isDiscoveryEnabled, type LanScanRow, updateDiscoveryEnabled } from './lan-scan-store.ts';
import type { LanScans } from './lan-scans.ts';

/** The calls under `/api/user/routers/{id}/lan/`. Only the owner of the device may make them. */
export function registerLanRoutes(app: FastifyInstance, { db, scans }: { db: Db; scans: LanScans }): void {
  const getOwn = async (id: number, userId: number): Promise<DeviceRow> => {
    const device = await findDevice(db, id);
    if (device?.userId !== userId) throw new AppError('device.not-found');
    return device;
  };

  mount(app, 'GET /api/user/routers/{id}/lan/', { login: 'required' }, async ({ params, session }) => {
    await getOwn(params.id, session.userId);
    return await describeLan(db, params.id);
  });
  mount(app, 'PATCH /api/user/routers/{id}/lan/', { login: 'required' }, async ({ params, body, session }) => {
    await switchDiscovery(db, { deviceId: params.id, userId: session.userId }, body.enabled);
    return await describeLan(db, params.id);
  });
  mount(app, 'POST /api/user/routers/{id}/lan/scan/', { login: 'required' }, async ({ params, session }) => {
    await scans.start(await getOwn(params.id, session.userId));
    return await describeLan(db, params.id);
  });
}

/** Throws device.not-found. A scan that is running stores nothing any more once its row is deleted. */
async function switchDiscovery(
  db: Db,
  device: { deviceId: number; userId: number },
  isEnabled: boolean,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await updateDiscoveryEnabled(tx, device, isEnabled))) throw new AppError('device.not-found');
    if (isEnabled) return;
    // In the order in which a running scan locks them.
    await deleteScan(tx, device.deviceId);
    await deleteHostsOfDevice(tx, device.deviceId);
  });
}

async function describeLan(db: Db, deviceId: number): Promise<Lan> {
  const scan = await findScan(db, deviceId);
  const services = Map.groupBy(await listServices(db, deviceId), ({ hostId }) => hostId);
  const hosts = await listHosts(db, deviceId);
  return {
    enabled: await isDiscoveryEnabled(db, deviceId),
    scan: scan === undefined ? null : scanReply(scan),
    hosts: hosts.map((host) => hostReply(host, services.get(host.id) ?? [], scan)),
  };
}

function scanReply({ startedAt, endedAt, percent, result }: LanScanRow): LanScan {
  return { started_at: startedAt.toISOString(), ended_at: endedAt?.toISOString() ?? null, percent, result };
}

function hostReply(host: LanHostRow, services: readonly LanServiceRow[], scan: LanScanRow | undefined): LanHost {
  const { id, address, mac, vendor, name, kind, isSelf } = host;
  return {
    ...{ id, address, mac, vendor, name, kind, is_self: isSelf, ...seenReply(host, scan) },
    services: services.map((service) => ({
      id: service.id,
      port: service.port,
      protocol: service.protocol,
      kind: service.kind,
      title: service.title,
      ...seenReply(service, scan),
    })),
  };
}

function seenReply({ firstSeen, lastSeen }: { firstSeen: Date; lastSeen: Date }, scan: LanScanRow | undefined) {
  return {
    is_new: scan?.hasEarlier === true && firstSeen >= scan.startedAt,
    is_missing: lastSeen < (scan?.completedFrom ?? new Date(0)),
    first_seen: firstSeen.toISOString(),
    last_seen: lastSeen.toISOString(),
  };
}
