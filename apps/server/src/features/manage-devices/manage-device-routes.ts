import type { ManagedDevice } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { deviceStateOf, planReply, shownState } from '../devices/index.ts';
import { listManagedDevices, type ManagedDeviceRow } from './managed-device-store.ts';
import { suspendDevice } from './suspend-device.ts';

const path = '/api/manage/devices/';

/** For staff: all devices, and which of them are suspended. */
export function registerManageDeviceRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/manage/devices/', { login: 'required' }, async ({ query }) => {
    const { search, user, suspended } = query;
    const filter = { search, user, suspended: suspended === undefined ? undefined : suspended === 'true' };
    const { count, devices } = await listManagedDevices(db, filter, query);
    return { count, ...pageLinks(path, query, count), results: devices.map(managedDeviceReply) };
  });
  mount(app, 'POST /api/manage/devices/{id}/suspended/', { login: 'required' }, async ({ params, session, req }) => {
    const actor = { userId: session.userId, ip: req.ip };
    return managedDeviceReply(await suspendDevice(db, actor, { deviceId: params.id, isSuspended: true }));
  });
  mount(app, 'DELETE /api/manage/devices/{id}/suspended/', { login: 'required' }, async ({ params, session, req }) => {
    const actor = { userId: session.userId, ip: req.ip };
    return managedDeviceReply(await suspendDevice(db, actor, { deviceId: params.id, isSuspended: false }));
  });
}

function managedDeviceReply(device: ManagedDeviceRow): ManagedDevice {
  const { state, since } = deviceStateOf(device);
  return {
    id: device.id,
    uid: device.uid,
    name: device.name,
    user: { id: device.userId, username: device.username },
    state: shownState(device, state),
    state_since: since?.toISOString() ?? null,
    server: device.serverName,
    public_ip: device.publicIp ?? '',
    agent_version: device.agentVersion ?? '',
    platform: device.platform ?? '',
    mapping_count: device.mappingCount,
    plan: planReply(device.allowance),
    suspended_at: device.suspendedAt?.toISOString() ?? null,
    created_at: device.createdAt.toISOString(),
  };
}
