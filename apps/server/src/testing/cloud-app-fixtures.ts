import { randomBytes } from 'node:crypto';
import type { CloudAppKind } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';

/** Inserts an app, of the kind ssh unless given otherwise. */
export async function insertCloudApp(
  db: Db,
  app: {
    deviceId: number;
    kind?: CloudAppKind;
    name?: string;
    username?: string;
    targetHost?: string;
    enabled?: boolean;
  },
): Promise<number> {
  const { deviceId, kind = 'ssh', name = '路由器', username = '', targetHost = '192.168.1.1', enabled = true } = app;
  const options = {
    username,
    domain: '',
    path: '',
    encoding: 'utf-8',
    name_encoding: 'auto',
    tls: false,
    mac: '',
    old_algorithms: false,
  } as const;
  const row = await db
    .insertInto('cloudApp')
    .values({ deviceId, kind, name, targetHost, targetPort: 22, options, enabled })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Inserts a member who has accepted. */
export async function insertAppMember(db: Db, member: { appId: number; userId: number }): Promise<number> {
  return await insertInvited(db, { ...member, account: 'x', acceptedAt: new Date() });
}

/** Inserts an offer that is not answered. */
export async function insertAppOffer(
  db: Db,
  offer: { appId: number; userId: number; account: string },
): Promise<number> {
  return await insertInvited(db, offer);
}

async function insertInvited(
  db: Db,
  values: { appId: number; userId: number; account: string; acceptedAt?: Date },
): Promise<number> {
  const row = await db.insertInto('cloudAppMember').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Inserts an open session, of which nobody knows the token. */
export async function insertAppSession(
  db: Db,
  session: { appId: number; ownerId: number; userId: number; word: string; ip?: string },
): Promise<number> {
  const { word, ip = '203.0.113.9', ...of } = session;
  const row = await db
    .insertInto('appSession')
    .values({
      ...{ ...of, ip, appName: word, deviceName: word, who: word, userAgent: word },
      ...{ appVersion: 1, kind: 'ssh', loginSessionId: 0, tokenHash: randomBytes(32) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Inserts the record of a wake by this account. */
export async function insertAppWake(
  db: Db,
  wake: { appId: number; userId: number; word: string; ip?: string },
): Promise<number> {
  const { word, ip = '203.0.113.9', ...of } = wake;
  const row = await db
    .insertInto('cloudAppWake')
    .values({ ...of, who: word, ip, result: 'sent' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
