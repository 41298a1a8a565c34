import { optionNames } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { mappingDomain } from '../mappings/index.ts';
import { selectMemberships } from '../sharing/index.ts';

/** The limit for each kind; older rows are left out. Only verifications and memberships can reach it. */
const MAX_ROWS = 50_000;

export async function exportAccount(db: Db, userId: number) {
  return await db
    .selectFrom('userAccount')
    .select(['id', 'username', 'email', 'phoneNumber', 'phoneBoundAt', 'isStaff', 'isPromoter', 'isSuperuser'])
    .select(['acceptedTermsOfService', 'acceptedTermsOfPayment', 'readedAnnouncementId'])
    .select(['invitedBy', 'invitationCode', 'inviterBoundAt', 'createdAt', 'deletionAt', 'offlineAfterMinutes'])
    .select(['disabledAt', 'lastLoginAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

export async function exportDevices(db: Db, userId: number) {
  return await db
    .selectFrom('device')
    .select(['id', 'uid', 'name', 'groupName', 'pinned', 'enabled', 'allowList', 'bandwidthBps'])
    .select(['alertsEnabled', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

export async function exportMappings(db: Db, userId: number) {
  return await db
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .select(['mapping.id', 'deviceId', 'kind', 'prefix', 'customDomain', 'port', 'targetHost', 'targetPort'])
    .select(['policy', 'remark', 'mapping.enabled', 'mapping.pinned', ...optionNames])
    .select(['opensAt', 'closesAt', 'hoursDays', 'hoursFrom', 'hoursTo', 'mapping.createdAt'])
    .where('device.userId', '=', userId)
    .orderBy('mapping.id')
    .execute();
}

/** Prefixes that mappings of the user gave up and that are reserved for the user. */
export async function exportReleasedPrefixes(db: Db, userId: number) {
  return await db
    .selectFrom('releasedPrefix')
    .innerJoin('server', 'server.id', 'releasedPrefix.serverId')
    .select(['prefix', 'suffix', 'releasedAt'])
    .where('userId', '=', userId)
    .orderBy('prefix')
    .execute();
}

export async function exportShareLinks(db: Db, userId: number) {
  return await ownMappings(db, userId)
    .innerJoin('shareLink', 'shareLink.mappingId', 'mapping.id')
    .select(['shareLink.id', 'mappingId', 'label', 'shareLink.createdAt', 'expiresAt', 'maxUses', 'uses', 'revokedAt'])
    .orderBy('shareLink.id')
    .execute();
}

export async function exportMembers(db: Db, userId: number) {
  return await ownMappings(db, userId)
    .innerJoin('mappingMember', 'mappingMember.mappingId', 'mapping.id')
    .select(['mappingMember.id', 'mappingId', 'contact', 'mappingMember.createdAt', 'mappingMember.joinedAt'])
    .select('mappingMember.expiresAt')
    .orderBy('mappingMember.id')
    .execute();
}

/** The user's requests to open mappings of other users. */
export async function exportAccessRequests(db: Db, userId: number) {
  const rows = await db
    .selectFrom('accessRequest')
    .innerJoin('mapping', 'mapping.id', 'accessRequest.mappingId')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .select(['prefix', 'customDomain', 'suffix', 'message', 'accessRequest.createdAt', 'refusedAt'])
    .where('userId', '=', userId)
    .orderBy('accessRequest.id')
    .execute();
  return rows.map(({ message, createdAt, refusedAt, ...name }) => {
    return { domain: mappingDomain(name), message, createdAt, refusedAt };
  });
}

/** The invitations that the user made, without their tokens. */
export async function exportInvitations(db: Db, userId: number) {
  return await db
    .selectFrom('invitation')
    .select(['id', 'purpose', 'email', 'note', 'memberId', 'createdAt', 'expiresAt'])
    .where('invitedBy', '=', userId)
    .orderBy('id')
    .execute();
}

/** The mappings that others share with the user. */
export async function exportMemberships(db: Db, userId: number) {
  const rows = await selectMemberships(db, userId)
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .select([
      'mappingMember.id',
      'contact',
      'mappingMember.pinned',
      'mappingMember.createdAt',
      'prefix',
      'customDomain',
      'suffix',
    ])
    .orderBy('mappingMember.id', 'desc')
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ id, contact, pinned, createdAt, ...name }) => ({
    ...{ id, domain: mappingDomain(name), contact, pinned, createdAt },
  }));
}

/** The verifications of visitors of the user's mappings, deleted ones included. */
export async function exportVerifications(db: Db, userId: number) {
  return await db
    .selectFrom('verification')
    .select(['id', 'mappingId', 'deviceId', 'kind', 'host', 'visitorIp', 'userAgent', 'grantedBy', 'who'])
    .select(['createdAt', 'expiresAt', 'revokedAt'])
    .where('ownerId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The visits of others that were refused at the user's mappings, deleted ones included. */
export async function exportRefusedVisits(db: Db, userId: number) {
  return await db
    .selectFrom('refusedVisit')
    .select(['id', 'mappingId', 'deviceId', 'host', 'reason', 'who', 'visitorIp', 'userAgent', 'count'])
    .select(['firstAt', 'lastAt'])
    .where('ownerId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The user's deleted mappings. */
export async function exportDeletedMappings(db: Db, userId: number) {
  return await db
    .selectFrom('deletedMapping')
    .select(['id', 'deviceId', 'deviceName', 'kind', 'domain', 'port', 'deletedAt'])
    .where('ownerId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The cloud apps of the user's devices, without their secrets. */
export async function exportCloudApps(db: Db, userId: number) {
  return await db
    .selectFrom('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .select(['cloudApp.id', 'deviceId', 'kind', 'cloudApp.name', 'targetHost', 'targetPort', 'options'])
    .select(['storedSecrets', 'hostKey', 'needsSecondFactor', 'wakeTimes', 'cloudApp.enabled', 'cloudApp.createdAt'])
    .where('device.userId', '=', userId)
    .orderBy('cloudApp.id')
    .execute();
}

/** The accounts that may open the user's cloud apps, and those to which these are offered. */
export async function exportCloudAppMembers(db: Db, userId: number) {
  return await db
    .selectFrom('cloudAppMember')
    .innerJoin('cloudApp', 'cloudApp.id', 'cloudAppMember.appId')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .leftJoin('userAccount', 'userAccount.id', 'cloudAppMember.userId')
    .select(['cloudAppMember.id', 'appId', 'cloudAppMember.createdAt', 'acceptedAt'])
    .select(sql<string>`case when accepted_at is null then cloud_app_member.account else username end`.as('account'))
    .where('device.userId', '=', userId)
    .orderBy('cloudAppMember.id')
    .execute();
}

/** The cloud apps of others that the user may open, or that were offered. */
export async function exportCloudAppMemberships(db: Db, userId: number) {
  return await db
    .selectFrom('cloudAppMember')
    .innerJoin('cloudApp', 'cloudApp.id', 'cloudAppMember.appId')
    .select(['cloudAppMember.id', 'name', 'kind', 'cloudAppMember.createdAt', 'acceptedAt', 'declinedAt'])
    .where('userId', '=', userId)
    .orderBy('cloudAppMember.id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The sessions of cloud apps that the user opened, and those on the user's devices. */
export async function exportCloudAppSessions(db: Db, userId: number) {
  return await db
    .selectFrom('appSession')
    .select(['id', 'appId', 'appName', 'kind', 'deviceName', 'who', 'ip', 'userAgent'])
    .select(['startedAt', 'endedAt', 'endReason', 'bytesIn', 'bytesOut'])
    .where((eb) => eb.or([eb('ownerId', '=', userId), eb('userId', '=', userId)]))
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** Who woke the hosts of the user's cloud apps, and what the user woke at others. */
export async function exportCloudAppWakes(db: Db, userId: number) {
  return await db
    .selectFrom('cloudAppWake')
    .innerJoin('cloudApp', 'cloudApp.id', 'cloudAppWake.appId')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .select(['cloudAppWake.id', 'appId', 'who', 'ip', 'scheduledFor', 'result', 'cloudAppWake.createdAt'])
    .where((eb) => eb.or([eb('device.userId', '=', userId), eb('cloudAppWake.userId', '=', userId)]))
    .orderBy('cloudAppWake.id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The user's own verifications as a visitor, on mappings of any user. */
export async function exportVisits(db: Db, userId: number) {
  return await db
    .selectFrom('verification')
    .select(['id', 'kind', 'host', 'visitorIp', 'userAgent', 'createdAt', 'expiresAt', 'revokedAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The visitor logs of the user's mappings. */
export async function exportVisitorLog(db: Db, userId: number) {
  return await ownMappings(db, userId)
    .innerJoin('visit', 'visit.mappingId', 'mapping.id')
    .select(['visit.mappingId', 'at', 'ms', 'ip', 'place', 'who', 'whoName', 'outcome', 'reason', 'method', 'path'])
    .select(['status', 'bytesIn', 'bytesOut', 'userAgent'])
    .where('at', '>', sql<Date>`now() - make_interval(days => mapping.visit_log_days)`)
    .orderBy('visit.id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

export async function exportSessions(db: Db, userId: number) {
  return await db
    .selectFrom('session')
    .select(['id', 'ip', 'userAgent', 'createdAt', 'lastSeenAt', 'expiresAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Without the token. */
export async function exportApiTokens(db: Db, userId: number) {
  return await db
    .selectFrom('apiToken')
    .select(['id', 'name', 'hint', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Without their texts. */
export async function exportProductKeys(db: Db, userId: number): Promise<object[]> {
  return await db
    .selectFrom('productKey')
    .innerJoin('keyBatch', 'keyBatch.id', 'productKey.batchId')
    .where((eb) => eb.or([eb('redeemedBy', '=', userId), eb('ownerId', '=', userId)]))
    .select([
      'productKey.id',
      'hint',
      'productName',
      'status',
      'productKey.expiresAt',
      'redeemedAt',
      'productKey.orderId',
    ])
    .orderBy('productKey.id')
    .execute();
}

/** The rewards for accounts that the user invited. */
export async function exportInvitationRewards(db: Db, userId: number) {
  return await db
    .selectFrom('invitationReward')
    .select(['id', 'inviteeName', 'event', 'status', 'days', 'createdAt', 'claimableAt', 'claimedAt', 'claimedAs'])
    .select('voidReason')
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Without the key. */
export async function exportEnrolmentKeys(db: Db, userId: number) {
  return await db
    .selectFrom('enrolmentKey')
    .select(['id', 'name', 'deviceName', 'hint', 'isReusable', 'useCount', 'createdAt', 'expiresAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Browsers in which the account has logged in. Without the secret. */
export async function exportTrustedBrowsers(db: Db, userId: number) {
  return await db
    .selectFrom('trustedBrowser')
    .select(['id', 'ip', 'userAgent', 'lastUsedAt', 'skipsSecondStepUntil'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Without the target. */
export async function exportAlertChannels(db: Db, userId: number) {
  return await db
    .selectFrom('alertChannel')
    .select(['id', 'kind', 'name', 'hint', 'hasSecret', 'events', 'enabled', 'createdAt'])
    .select(['lastSentAt', 'lastFailedAt', 'lastFailure'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

export async function exportAlerts(db: Db, userId: number) {
  return await db
    .selectFrom('alertDelivery')
    .innerJoin('alertChannel', 'alertChannel.id', 'alertDelivery.channelId')
    .select(['alertDelivery.id', 'channelId', 'details', 'alertDelivery.createdAt', 'sentAt', 'failedAt', 'failure'])
    .where('userId', '=', userId)
    .orderBy('alertDelivery.id', 'desc')
    .limit(MAX_ROWS)
    .execute();
}

/** The browsers and places of the account's recent logins. */
export async function exportKnownLogins(db: Db, userId: number) {
  return await db
    .selectFrom('knownLogin')
    .select(['browser', 'place', 'lastAt'])
    .where('userId', '=', userId)
    .orderBy('lastAt', 'desc')
    .execute();
}

function ownMappings(db: Db, userId: number) {
  return db
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('device.userId', '=', userId);
}

/** When and why the user's devices came online and went offline. */
export async function exportDeviceConnections(db: Db, userId: number) {
  return await db
    .selectFrom('deviceConnection')
    .innerJoin('device', 'device.id', 'deviceConnection.deviceId')
    .select(['deviceId', 'at', 'online', 'offlineReason', 'publicIp', 'agentVersion'])
    .where('device.userId', '=', userId)
    .orderBy('deviceId')
    .orderBy('number')
    .limit(MAX_ROWS)
    .execute();
}

/** What scans saw in the LANs of the user's devices. */
export async function exportLanHosts(db: Db, userId: number) {
  return await db
    .selectFrom('lanHost')
    .innerJoin('device', 'device.id', 'lanHost.deviceId')
    .select(['lanHost.id', 'deviceId', 'address', 'mac', 'vendor', 'lanHost.name', 'kind', 'isSelf'])
    .select(['firstSeen', 'lastSeen'])
    .where('device.userId', '=', userId)
    .orderBy('lanHost.id')
    .limit(MAX_ROWS)
    .execute();
}

/** The services of these hosts. */
export async function exportLanServices(db: Db, userId: number) {
  return await db
    .selectFrom('lanService')
    .innerJoin('lanHost', 'lanHost.id', 'lanService.hostId')
    .innerJoin('device', 'device.id', 'lanHost.deviceId')
    .select(['lanService.id', 'hostId', 'port', 'protocol', 'lanService.kind', 'title'])
    .select(['lanService.firstSeen', 'lanService.lastSeen'])
    .where('device.userId', '=', userId)
    .orderBy('lanService.id')
    .limit(MAX_ROWS)
    .execute();
}
