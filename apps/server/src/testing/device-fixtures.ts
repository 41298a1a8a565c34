import { randomBytes } from 'node:crypto';
import type { UsageEntry } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../db/driver.ts';

/** Inserts one user with one device in one region. */
export async function insertHome(
  db: Db,
  username = 'li',
): Promise<{ userId: number; serverId: number; deviceId: number }> {
  const serverId = await insertServer(db);
  const userId = await insertUser(db, username);
  const deviceId = await insertDevice(db, { userId, serverId, name: 'NAS' });
  return { userId, serverId, deviceId };
}

export async function insertUser(db: Db, username: string): Promise<number> {
  const row = await db.insertInto('userAccount').values({ username }).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Inserts the region of this suffix unless it exists. */
export async function insertServer(db: Db, suffix = 'localhost'): Promise<number> {
  const row = await db
    .insertInto('server')
    .values({ name: '本地服务器', suffix })
    .onConflict((conflict) => conflict.column('suffix').doUpdateSet({ suffix }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function insertDevice(
  db: Db,
  device: { userId: number; serverId: number; name?: string; pinned?: boolean; enabled?: boolean },
): Promise<number> {
  const { userId, serverId, name = '设备', pinned = false, enabled = true } = device;
  const identity = { uid: randomBytes(6).toString('hex'), publicKey: randomBytes(32) };
  const row = await db
    .insertInto('device')
    .values({ ...identity, userId, serverId, name, pinned, enabled })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Inserts a mapping with one public address: a prefix, a custom domain that leads here, or a port. */
export async function insertMapping(
  db: Db,
  mapping: {
    deviceId: number;
    serverId: number;
    kind?: 'http' | 'https' | 'tcp' | 'udp';
    prefix?: string;
    customDomain?: string;
    port?: number;
    tlsPassthrough?: boolean;
    policy?: 'owner' | 'password' | 'public' | 'closed';
    passwordHash?: string;
    enabled?: boolean;
    targetHost?: string;
    targetPort?: number;
  },
): Promise<number> {
  const { deviceId, serverId, kind = 'http', policy = 'owner', enabled = true } = mapping;
  const { prefix, customDomain, port, tlsPassthrough = false, passwordHash } = mapping;
  const { targetHost = '192.168.1.10', targetPort = 5000 } = mapping;
  const row = await db
    .insertInto('mapping')
    .values({
      ...{ deviceId, serverId, kind, prefix, customDomain, port, tlsPassthrough },
      ...{ targetHost, targetPort, policy, enabled, passwordHash },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (customDomain !== undefined) await insertReadyDomain(db, row.id, customDomain);
  return row.id;
}

/** A custom domain that was found to lead here. */
export async function insertReadyDomain(db: Db, mappingId: number, domain: string): Promise<void> {
  await db.insertInto('domainCheck').values({ mappingId, domain, readyAt: new Date() }).execute();
}

/** Inserts a relay whose last heartbeat was `silentSeconds` ago. */
export async function insertRelay(
  db: Db,
  relay: { id?: string; serverId: number; silentSeconds?: number },
): Promise<string> {
  const { id = 'r1', serverId, silentSeconds = 0 } = relay;
  const lastSeenAt = sql<Date>`now() - make_interval(secs => ${silentSeconds})`;
  await db
    .insertInto('relay')
    .values({ id, serverId, bootId: 'boot', lastSeenAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastSeenAt }))
    .execute();
  return id;
}

export async function insertPresence(
  db: Db,
  presence: { deviceId: number; relayId?: string; epoch?: number; offlineReason?: string },
): Promise<void> {
  const { deviceId, relayId = 'r1', epoch = 10, offlineReason = null } = presence;
  await db
    .insertInto('devicePresence')
    .values({
      deviceId,
      relayId,
      epoch,
      online: offlineReason === null,
      offlineReason,
      changedAt: new Date('2026-11-21T08:00:00Z'),
      publicIp: '203.0.113.7',
      agentVersion: '0.1.0',
      platform: 'linux-x64',
    })
    .execute();
}

/** A relay's usage entry of a mapping: one answered request, changed by `counted`. */
export function usageOf(mappingId: number, counted: Partial<UsageEntry> = {}): UsageEntry {
  const requests = { requests: 1, ok: 1, clientErrors: 0, serverErrors: 0, failed: 0, firstByteMs: 2.5, answered: 1 };
  const sources = { latency: [], visitors: [], networks: [], isTruncated: false };
  return { mappingId, bytesIn: 100, bytesOut: 1000, ...requests, ...sources, ...counted };
}
