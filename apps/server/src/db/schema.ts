import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** The tables as Kysely sees them (camelCase; the driver maps to snake_case). Kept equal to `migrations/` by schema.db.test.ts. */
type Id = GeneratedAlways<number>;
type CreatedAt = ColumnType<Date, Date | undefined, never>;

export type Database = {
  userAccount: {
    id: Id;
    username: string;
    email: Generated<string>;
    passwordHash: string | null;
    isStaff: Generated<boolean>;
    isPromoter: Generated<boolean>;
    isSuperuser: Generated<boolean>;
    acceptedTermsOfService: Generated<boolean>;
    acceptedTermsOfPayment: Generated<boolean>;
    readedAnnouncementId: Generated<number>;
    phoneNumber: string | null;
    phoneBoundAt: Date | null;
    createdAt: CreatedAt;
  };
  session: {
    idHash: Buffer;
    userId: number;
    createdAt: CreatedAt;
    lastSeenAt: Generated<Date>;
    expiresAt: Date;
    ip: string;
    userAgent: string;
  };
  accountToken: {
    id: Id;
    userId: number;
    tokenHash: Buffer;
    tokenSealed: Buffer;
    createdAt: CreatedAt;
    retiredAt: Date | null;
  };
  tokenSign: { tokenId: string; userId: number; signHash: Buffer; expiresAt: Date; usedAt: Date | null };
  loginFailure: { account: string; failures: number; lastAt: Generated<Date>; lockedUntil: Date | null };
  server: { id: Id; name: string; suffix: string; isp: Generated<string>; maintenance: Generated<boolean> };
  relay: { id: string; serverId: number; bootId: string; load: Generated<number>; lastSeenAt: Date };
  device: {
    id: Id;
    userId: number;
    serverId: number;
    uid: string;
    publicKey: Buffer;
    name: string;
    pinned: Generated<boolean>;
    enabled: Generated<boolean>;
    createdAt: CreatedAt;
    allowList: Generated<string[]>;
    bandwidthBps: number | null;
  };
  devicePresence: {
    deviceId: number;
    relayId: string;
    epoch: number;
    online: boolean;
    changedAt: Date;
    offlineReason: string | null;
    publicIp: string;
    agentVersion: string;
    platform: string;
  };
  mapping: {
    id: Id;
    deviceId: number;
    serverId: number;
    kind: 'http' | 'https' | 'tcp' | 'udp';
    prefix: string | null;
    targetHost: string;
    targetPort: number;
    policy: 'owner' | 'public';
    remark: Generated<string>;
    enabled: Generated<boolean>;
    createdAt: CreatedAt;
    customDomain: string | null;
    port: number | null;
    hostHeader: Generated<'keep' | 'rewrite'>;
    verifyTls: Generated<boolean>;
    tlsPassthrough: Generated<boolean>;
    proxyProtocol: Generated<boolean>;
    opensAt: Date | null;
    closesAt: Date | null;
    hoursDays: number[] | null;
    hoursFrom: number | null;
    hoursTo: number | null;
  };
  mappingUsageHour: {
    mappingId: number;
    hour: Date;
    bytesIn: number;
    bytesOut: number;
    requests: number;
    ok: number;
    clientErrors: number;
    serverErrors: number;
    failed: number;
    firstByteMs: number;
    answered: number;
  };
  usageReport: { relayId: string; bootId: string; sequence: number; storedAt: Generated<Date> };
  connectionCheck: { deviceId: number; runId: string; expiresAt: Date };
  gateTicket: {
    ticketHash: Buffer;
    userId: number;
    mappingId: number;
    host: string;
    expiresAt: Date;
    usedAt: Date | null;
  };
  verification: {
    id: Id;
    userId: number;
    mappingId: number;
    host: string;
    visitorIp: string;
    userAgent: string;
    createdAt: CreatedAt;
    expiresAt: Date;
    kind: Generated<'cookie' | 'ip'>;
    revokedAt: Date | null;
  };
  announcement: {
    id: Id;
    title: string;
    detail: string;
    url: Generated<string>;
    display: Generated<boolean>;
    createdAt: CreatedAt;
  };
  setting: { name: string; value: unknown };
  acmeAccount: {
    directoryUrl: string;
    keySealed: Buffer;
    accountUrl: string | null;
    email: Generated<string>;
    createdAt: CreatedAt;
  };
  certificate: {
    id: Id;
    subject: string;
    names: string[];
    origin: 'console' | 'custom_domain';
    challenge: 'http-01' | 'dns-01';
    wanted: Generated<boolean>;
    issuedNames: string[] | null;
    issuedBy: string | null;
    chain: string | null;
    keySealed: Buffer | null;
    notBefore: Date | null;
    notAfter: Date | null;
    nextTryAt: Generated<Date>;
    failures: Generated<number>;
    problem: string | null;
    problemDetail: Generated<string>;
    claim: string | null;
    claimedUntil: Date | null;
    orderUrl: string | null;
    orderKeySealed: Buffer | null;
    createdAt: CreatedAt;
    userId: number | null;
  };
  acmeChallenge: { token: string; certificateId: number; keyAuthorization: string; expiresAt: Date };
};
