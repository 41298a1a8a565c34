import { randomBytes } from 'node:crypto';
import type { InsertObject } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';
import {
  insertAppMember,
  insertAppOffer,
  insertAppSession,
  insertAppWake,
  insertCloudApp,
} from '../cloud-app-fixtures.ts';

type Owner = { userId: number; deviceId: number; mappingId: number };
/** Text and address that every object of the owner contains. */
type Mark = { word: string; address: string };

const inADay = (): Date => new Date(Date.now() + 86_400_000);
const secret = () => randomBytes(32);

/**
 * Creates one object of each kind that an account can own, each with the mark. Returns their ids by the names that calls
 * use. `sharedMappingId` is a mapping of another user, which is shared with the account.
 */
export async function createOneOfEach(
  db: Db,
  { owner, sharedMappingId, mark }: { owner: Owner; sharedMappingId: number; mark: Mark },
): Promise<Record<string, number>> {
  await db.updateTable('device').set({ name: mark.word }).where('id', '=', owner.deviceId).execute();
  await db.updateTable('mapping').set({ remark: mark.word }).where('id', '=', owner.mappingId).execute();
  return {
    ...(await createAccess(db, owner, mark)),
    shared_with_me: await shareWith(db, { userId: owner.userId, sharedMappingId, mark }),
    ...(await createAccountObjects(db, owner.userId, mark)),
    ...(await createCloudApp(db, owner, mark)),
  };
}

async function createAccess(
  db: Db,
  { userId, deviceId, mappingId }: Owner,
  { word, address }: Mark,
): Promise<Record<string, number>> {
  const { id: deletedMappingId } = await db
    .insertInto('deletedMapping')
    .values({ id: 1_000_000, ownerId: userId, deviceId, deviceName: word, kind: 'http', domain: word })
    .returning('id')
    .executeTakeFirstOrThrow();
  const record = { ownerId: userId, deviceId, kind: 'ip', grantedBy: 'own_address', visitorIp: address } as const;
  await insert(db, 'verification', {
    ...{ ...record, mappingId: deletedMappingId, host: word, userAgent: word },
    expiresAt: new Date(),
  });
  await insert(db, 'refusedVisit', {
    ...{ ownerId: userId, mappingId, deviceId, host: 'next-door.localhost', reason: 'not_allowed', visitor: word },
    ...{ who: word, visitorIp: address, userAgent: word, hour: new Date() },
  });
  return {
    verifications: await insert(db, 'verification', {
      ...{ ...record, mappingId, userId, who: word, host: 'next-door.localhost', userAgent: word, expiresAt: inADay() },
    }),
    shares: await insert(db, 'shareLink', {
      ...{ mappingId, label: word, codeHash: secret(), codeSealed: secret(), expiresAt: inADay() },
    }),
    access_requests: await insert(db, 'accessRequest', { mappingId, userId, message: word }),
    members: await insert(db, 'mappingMember', { mappingId, contact: `${word}@example.com` }),
  };
}

async function shareWith(
  db: Db,
  { userId, sharedMappingId, mark }: { userId: number; sharedMappingId: number; mark: Mark },
): Promise<number> {
  const email = `me-${mark.word}@example.com`;
  await db.updateTable('userAccount').set({ email }).where('id', '=', userId).execute();
  return await insert(db, 'mappingMember', { mappingId: sharedMappingId, contact: email });
}

async function createCloudApp(
  db: Db,
  { userId, deviceId }: Owner,
  { word, address }: Mark,
): Promise<Record<string, number>> {
  const appId = await insertCloudApp(db, { deviceId, name: word, username: word });
  return {
    cloud_apps: appId,
    cloud_app_members: await insertAppMember(db, { appId, userId }),
    cloud_app_offers: await insertAppOffer(db, { appId, userId, account: word }),
    cloud_app_sessions: await insertAppSession(db, { appId, ownerId: userId, userId, word, ip: address }),
    cloud_app_wakes: await insertAppWake(db, { appId, userId, word, ip: address }),
  };
}

async function createAccountObjects(db: Db, userId: number, { word, address }: Mark): Promise<Record<string, number>> {
  const channelId = await insert(db, 'alertChannel', {
    ...{ userId, kind: 'webhook', name: word, targetSealed: secret(), hint: word, hasSecret: false },
    ...{ events: ['new_login'], enabled: false },
  });
  return {
    alert_channels: channelId,
    alert_deliveries: await insert(db, 'alertDelivery', {
      ...{ channelId, event: 'test', sentAt: new Date() },
      details: { event: 'test', at: new Date().toISOString(), channel: word },
    }),
    passkeys: await insert(db, 'passkey', {
      ...{ userId, rpId: 'localhost', credentialId: secret().toString('base64url'), publicKey: secret() },
      ...{ counter: 0, name: word },
    }),
    sessions: await insert(db, 'session', {
      ...{ idHash: secret(), userId, expiresAt: inADay(), ip: address, userAgent: word },
    }),
    api_tokens: await insert(db, 'apiToken', {
      ...{ userId, name: word, hint: 'tt_api_x', tokenHash: secret(), scopes: ['devices:read'] },
    }),
    enrolment_keys: await insert(db, 'enrolmentKey', {
      ...{ userId, name: word, hint: 'te_x', keyHash: secret(), isReusable: false, expiresAt: inADay() },
    }),
    trusted_browsers: await insert(db, 'trustedBrowser', {
      ...{ userId, secretHash: secret(), sessionId: 0, ip: address, userAgent: word },
      skipsSecondStepUntil: inADay(),
    }),
  };
}

type TableWithId =
  | 'verification'
  | 'refusedVisit'
  | 'accessRequest'
  | 'shareLink'
  | 'mappingMember'
  | 'alertChannel'
  | 'alertDelivery'
  | 'passkey'
  | 'session'
  | 'apiToken'
  | 'enrolmentKey'
  | 'trustedBrowser';

/** Inserts a row and returns its id. */
async function insert<Table extends TableWithId>(
  db: Db,
  table: Table,
  row: InsertObject<Database, Table>,
): Promise<number> {
  const { id } = await db.insertInto<TableWithId>(table).values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}
