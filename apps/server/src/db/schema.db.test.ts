import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { openTestDb } from './open-test-db.ts';
import type { Database } from './schema.ts';

/** The kind of PostgreSQL column that each type in schema.ts needs. */
type KindOf<T> = [T] extends [boolean]
  ? 'boolean'
  : [T] extends [number]
    ? 'number'
    : [T] extends [string]
      ? 'text'
      : [T] extends [Date]
        ? 'time'
        : [T] extends [Buffer]
          ? 'bytes'
          : [T] extends [unknown[]]
            ? 'list'
            : 'json';
type SelectType<T> = T extends { readonly __select__: infer Selected } ? Selected : T;
type IsNullable<T> = unknown extends T ? '' : null extends T ? '?' : '';
type Expected<T> = `${KindOf<NonNullable<SelectType<T>>>}${IsNullable<SelectType<T>>}`;

// The compiler compares these tables, columns and kinds with schema.ts.
const declared: {
  [Table in keyof Database]: { [Column in keyof Database[Table]]: Expected<Database[Table][Column]> };
} = {
  userAccount: {
    id: 'number',
    username: 'text',
    email: 'text',
    passwordHash: 'text?',
    isStaff: 'boolean',
    isPromoter: 'boolean',
    isSuperuser: 'boolean',
    acceptedTermsOfService: 'boolean',
    acceptedTermsOfPayment: 'boolean',
    readedAnnouncementId: 'number',
    phoneNumber: 'text?',
    phoneBoundAt: 'time?',
    createdAt: 'time',
    invitedBy: 'text',
    deletionAt: 'time?',
    offlineAfterMinutes: 'number',
    disabledAt: 'time?',
    lastLoginAt: 'time?',
    hasOneTimePassword: 'boolean',
  },
  session: {
    idHash: 'bytes',
    userId: 'number',
    createdAt: 'time',
    lastSeenAt: 'time',
    expiresAt: 'time',
    ip: 'text',
    userAgent: 'text',
    id: 'number',
    confirmedUntil: 'time?',
  },
  accountToken: {
    id: 'number',
    userId: 'number',
    tokenHash: 'bytes',
    tokenSealed: 'bytes',
    createdAt: 'time',
    retiredAt: 'time?',
  },
  bindingRequest: {
    codeHash: 'bytes',
    publicKey: 'bytes',
    name: 'text',
    platform: 'text',
    agentVersion: 'text',
    ip: 'text',
    expiresAt: 'time',
    userId: 'number?',
    usedAt: 'time?',
  },
  tokenSign: { tokenId: 'text', userId: 'number', signHash: 'bytes', expiresAt: 'time', usedAt: 'time?' },
  failedAttempt: { key: 'text', failures: 'number', lastAt: 'time', lockedUntil: 'time?' },
  server: { id: 'number', name: 'text', suffix: 'text', isp: 'text', maintenance: 'boolean' },
  relay: { id: 'text', serverId: 'number', bootId: 'text', load: 'number', lastSeenAt: 'time' },
  device: {
    id: 'number',
    userId: 'number',
    serverId: 'number',
    uid: 'text',
    publicKey: 'bytes',
    name: 'text',
    pinned: 'boolean',
    enabled: 'boolean',
    createdAt: 'time',
    allowList: 'list',
    bandwidthBps: 'number?',
    alertsEnabled: 'boolean',
    watchedFrom: 'time',
  },
  devicePresence: {
    deviceId: 'number',
    relayId: 'text',
    epoch: 'number',
    online: 'boolean',
    changedAt: 'time',
    offlineReason: 'text?',
    publicIp: 'text',
    agentVersion: 'text',
    platform: 'text',
  },
  mapping: {
    id: 'number',
    deviceId: 'number',
    serverId: 'number',
    kind: 'text',
    prefix: 'text?',
    targetHost: 'text',
    targetPort: 'number',
    policy: 'text',
    remark: 'text',
    pinned: 'boolean',
    enabled: 'boolean',
    createdAt: 'time',
    customDomain: 'text?',
    port: 'number?',
    hostHeader: 'text',
    verifyTls: 'boolean',
    tlsPassthrough: 'boolean',
    proxyProtocol: 'boolean',
    opensAt: 'time?',
    closesAt: 'time?',
    hoursDays: 'list?',
    hoursFrom: 'number?',
    hoursTo: 'number?',
    passwordHash: 'text?',
    passwordVersion: 'number',
  },
  shareLink: {
    id: 'number',
    mappingId: 'number',
    codeHash: 'bytes',
    codeSealed: 'bytes',
    label: 'text',
    createdAt: 'time',
    expiresAt: 'time',
    maxUses: 'number?',
    uses: 'number',
    revokedAt: 'time?',
  },
  mappingMember: {
    id: 'number',
    mappingId: 'number',
    contact: 'text',
    pinned: 'boolean',
    createdAt: 'time',
    userId: 'number?',
    joinedAt: 'time?',
    expiresAt: 'time?',
  },
  accessRequest: {
    id: 'number',
    mappingId: 'number',
    userId: 'number',
    message: 'text',
    createdAt: 'time',
    refusedAt: 'time?',
  },
  invitation: {
    id: 'number',
    tokenHash: 'bytes',
    purpose: 'text',
    userId: 'number?',
    memberId: 'number?',
    invitedBy: 'number?',
    email: 'text',
    note: 'text',
    createdAt: 'time',
    expiresAt: 'time',
  },
  clientWindow: { mappingId: 'number', openUntil: 'time', claimedAt: 'time?', verificationId: 'number?' },
  gateTicket: {
    ticketHash: 'bytes',
    userId: 'number?',
    mappingId: 'number',
    host: 'text',
    expiresAt: 'time',
    usedAt: 'time?',
    grantedBy: 'text',
    memberId: 'number?',
    shareLinkId: 'number?',
    passwordVersion: 'number?',
    sessionId: 'number?',
  },
  verification: {
    id: 'number',
    userId: 'number?',
    mappingId: 'number',
    host: 'text',
    visitorIp: 'text',
    userAgent: 'text',
    createdAt: 'time',
    expiresAt: 'time',
    kind: 'text',
    revokedAt: 'time?',
    grantedBy: 'text',
    who: 'text',
    memberId: 'number?',
    shareLinkId: 'number?',
    cookieExpiresAt: 'time?',
    sessionId: 'number?',
    visitorNetwork: 'text',
    publishedUntil: 'time?',
    ownerId: 'number',
    deviceId: 'number',
  },
  deletedMapping: {
    id: 'number',
    ownerId: 'number',
    deviceId: 'number',
    deviceName: 'text',
    kind: 'text',
    domain: 'text',
    port: 'number?',
    deletedAt: 'time',
  },
  releasedPrefix: { serverId: 'number', prefix: 'text', userId: 'number?', releasedAt: 'time' },
  mappingUsageHour: {
    mappingId: 'number',
    hour: 'time',
    bytesIn: 'number',
    bytesOut: 'number',
    requests: 'number',
    ok: 'number',
    clientErrors: 'number',
    serverErrors: 'number',
    failed: 'number',
    firstByteMs: 'number',
    answered: 'number',
  },
  captchaChallenge: {
    key: 'text',
    type: 'text',
    purpose: 'text',
    browserHash: 'bytes',
    network: 'text',
    answer: 'json?',
    createdAt: 'time',
    drawnAt: 'time?',
    expiresAt: 'time',
    answeredAt: 'time?',
    passed: 'boolean?',
  },
  captchaTicket: {
    ticketHash: 'bytes',
    purpose: 'text',
    browserHash: 'bytes',
    expiresAt: 'time',
    usedAt: 'time?',
  },
  usageReport: { relayId: 'text', bootId: 'text', sequence: 'number', storedAt: 'time' },
  connectionCheck: { deviceId: 'number', runId: 'text', expiresAt: 'time' },
  ssoLogin: {
    stateHash: 'bytes',
    scanHash: 'bytes',
    createdAt: 'time',
    expiresAt: 'time',
    site: 'text',
    ip: 'text',
    userAgent: 'text',
    scannedAt: 'time?',
    phoneHash: 'bytes?',
    oauthCodeHash: 'bytes?',
    appId: 'text?',
    openId: 'text?',
    unionId: 'text?',
    nickname: 'text?',
    decision: 'text?',
    decidedAt: 'time?',
    codeHash: 'bytes?',
    codeExpiresAt: 'time?',
  },
  wechatAccount: {
    userId: 'number',
    appId: 'text',
    openId: 'text',
    unionId: 'text?',
    nickname: 'text',
    boundAt: 'time',
  },
  announcement: {
    id: 'number',
    title: 'text',
    detail: 'text',
    url: 'text',
    display: 'boolean',
    createdAt: 'time',
    startsAt: 'time?',
    endsAt: 'time?',
    number: 'number?',
    publishedAt: 'time?',
    revision: 'number',
  },
  setting: { name: 'text', value: 'json' },
  acmeAccount: { directoryUrl: 'text', keySealed: 'bytes', accountUrl: 'text?', email: 'text', createdAt: 'time' },
  domainCheck: {
    mappingId: 'number',
    domain: 'text',
    readyAt: 'time?',
    found: 'list',
    wanted: 'list',
    tries: 'number',
    nextCheckAt: 'time',
  },
  certificate: {
    id: 'number',
    subject: 'text',
    names: 'list',
    origin: 'text',
    challenge: 'text',
    wanted: 'boolean',
    issuedNames: 'list?',
    issuedBy: 'text?',
    chain: 'text?',
    keySealed: 'bytes?',
    notBefore: 'time?',
    notAfter: 'time?',
    nextTryAt: 'time',
    failures: 'number',
    problem: 'text?',
    problemDetail: 'text',
    claim: 'text?',
    claimedUntil: 'time?',
    orderUrl: 'text?',
    orderKeySealed: 'bytes?',
    createdAt: 'time',
    userId: 'number?',
  },
  acmeChallenge: { token: 'text', certificateId: 'number', keyAuthorization: 'text', expiresAt: 'time' },
  totp: { userId: 'number', secretSealed: 'bytes', lastStep: 'number', createdAt: 'time', confirmedAt: 'time?' },
  passkey: {
    id: 'number',
    userId: 'number',
    rpId: 'text',
    credentialId: 'text',
    publicKey: 'bytes',
    counter: 'number',
    transports: 'list',
    name: 'text',
    createdAt: 'time',
    lastUsedAt: 'time?',
  },
  recoveryCode: { userId: 'number', codeHash: 'bytes', usedAt: 'time?' },
  passkeyChallenge: { boundTo: 'bytes', purpose: 'text', userId: 'number', challenge: 'text', expiresAt: 'time' },
  loginStep: {
    tokenHash: 'bytes',
    browserHash: 'bytes',
    userId: 'number',
    tries: 'number',
    expiresAt: 'time',
    usedAt: 'time?',
  },
  apiToken: {
    id: 'number',
    userId: 'number',
    name: 'text',
    hint: 'text',
    tokenHash: 'bytes',
    scopes: 'list',
    createdAt: 'time',
    expiresAt: 'time?',
    lastUsedAt: 'time?',
  },
  oneTimeCode: {
    purpose: 'text',
    address: 'text',
    browserHash: 'bytes',
    codeHash: 'bytes',
    tries: 'number',
    expiresAt: 'time',
    usedAt: 'time?',
  },
  rateCount: { key: 'text', hits: 'number', endsAt: 'time' },
  notifiedAbsence: { deviceId: 'number', since: 'time', notifiedAt: 'time' },
  alertChannel: {
    id: 'number',
    userId: 'number',
    kind: 'text',
    name: 'text',
    targetSealed: 'bytes',
    hint: 'text',
    hasSecret: 'boolean',
    events: 'list',
    enabled: 'boolean',
    createdAt: 'time',
    sendingUntil: 'time?',
    lastSentAt: 'time?',
    lastFailedAt: 'time?',
    lastFailure: 'text?',
  },
  alertDelivery: {
    id: 'number',
    channelId: 'number',
    event: 'text',
    details: 'json',
    createdAt: 'time',
    attempts: 'number',
    nextTryAt: 'time',
    sentAt: 'time?',
    failedAt: 'time?',
    failure: 'text?',
  },
  knownLogin: { userId: 'number', browser: 'text', place: 'text', lastAt: 'time' },
  trustedBrowser: { id: 'number', userId: 'number', secretHash: 'bytes', sessionId: 'number', lastUsedAt: 'time' },
};

const kinds: Record<string, string> = {
  boolean: 'boolean',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  text: 'text',
  uuid: 'text',
  'timestamp with time zone': 'time',
  bytea: 'bytes',
  jsonb: 'json',
  ARRAY: 'list',
};

type ColumnRow = { tableName: string; columnName: string; dataType: string; isNullable: 'YES' | 'NO' };

test('the migrated tables are those that schema.ts describes', async () => {
  await using t = await openTestDb();

  const { rows } = await sql<ColumnRow>`
    select table_name, column_name, data_type, is_nullable from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(t.db);

  const migrated: Record<string, Record<string, string>> = {};
  for (const { tableName, columnName, dataType, isNullable } of rows) {
    (migrated[camelCase(tableName)] ??= {})[camelCase(columnName)] =
      `${kinds[dataType] ?? dataType}${isNullable === 'YES' ? '?' : ''}`;
  }
  expect(migrated).toEqual(declared);
});

test('every foreign key has an index, so that deleting the referenced row is fast', async () => {
  await using t = await openTestDb();

  const { rows } = await sql`
    select conrelid::regclass::text as table_name, conname from pg_constraint c
    where contype = 'f' and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`.execute(t.db);

  expect(rows).toEqual([]);
});

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
