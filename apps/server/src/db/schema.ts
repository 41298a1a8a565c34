import type { DiscoveryResult } from '@tongtu/tunnel';
import type { LanKind } from '@tongtu/contract';
import type { DeviceAttemptKind } from '@tongtu/contract';
import type { AlertEvent, AlertFailure, AlertKind, AppFailure, CloudAppKind } from '@tongtu/contract';
import type { CloudAppOptions, MappingOptions, OptionName, WakeResult, WakeTime } from '@tongtu/contract';
import type { OrderKind, OrderStatus, PaymentProviderId, ProductKeyStatus } from '@tongtu/contract';
import type { OfflineReason, VisitOutcome, VisitWho } from '@tongtu/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** The tables in camelCase; the driver maps names to snake_case. schema.db.test.ts compares them with `migrations/`. */
type Id = GeneratedAlways<number>;
type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** Each option of a mapping is a column of the same name. */
type OptionColumns = { [Name in OptionName]: Generated<MappingOptions[Name]> };

export type Database = {
  userAccount: {
    id: Id;
    username: string;
    usernameSkeleton: string | null;
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
    invitedBy: Generated<string>;
    deletionAt: Date | null;
    offlineAfterMinutes: Generated<number>;
    disabledAt: Date | null;
    lastLoginAt: Date | null;
    hasOneTimePassword: Generated<boolean>;
    paymentTermsVersion: number | null;
    paymentTermsAcceptedAt: Date | null;
    invitationCode: string | null;
    inviterId: number | null;
    inviterBoundAt: Date | null;
  };
  session: {
    idHash: Buffer;
    userId: number;
    createdAt: CreatedAt;
    lastSeenAt: Generated<Date>;
    expiresAt: Date;
    ip: string;
    userAgent: string;
    id: Id;
    confirmedUntil: Date | null;
  };
  accountToken: {
    id: Id;
    userId: number;
    tokenHash: Buffer;
    tokenSealed: Buffer;
    createdAt: CreatedAt;
    retiredAt: Date | null;
  };
  bindingRequest: {
    codeHash: Buffer;
    publicKey: Buffer;
    name: string;
    platform: string;
    agentVersion: string;
    ip: string;
    expiresAt: Date;
    userId: number | null;
    usedAt: Date | null;
  };
  enrolmentKey: {
    id: Id;
    userId: number;
    name: string;
    deviceName: Generated<string>;
    hint: string;
    keyHash: Buffer;
    isReusable: boolean;
    useCount: Generated<number>;
    createdAt: CreatedAt;
    expiresAt: Date;
    lastUsedAt: Date | null;
  };
  /** With what the frpc of users with their own frpc.toml log in; `login` is the `user` of frpc. */
  /** Seconds of the device's own clock. */
  frpcLogin: { deviceId: number; acceptedSeconds: number | null; speaksV2: Generated<boolean> };
  frpcLoginSecond: { userId: number; loginSeconds: number; firstAt: Generated<Date> };
  frpcAccount: { userId: number; login: string; tokenSealed: Buffer; createdAt: CreatedAt };
  tokenSign: { tokenId: string; userId: number; signHash: Buffer; expiresAt: Date; usedAt: Date | null };
  failedAttempt: { key: string; failures: number; lastAt: Generated<Date>; lockedUntil: Date | null };
  server: { id: Id; name: string; suffix: string; isp: Generated<string>; maintenance: Generated<boolean> };
  relay: { id: string; serverId: number; bootId: string; load: Generated<number>; lastSeenAt: Date };
  device: {
    id: Id;
    userId: number;
    serverId: number;
    uid: string;
    /** Exactly one of the two is set: the key of our agent, or the secret of a stock frpc. */
    publicKey: Buffer | null;
    frpcTokenSealed: Buffer | null;
    /** The `user` of a frpc whose own frpc.toml manages the mappings. */
    frpcLogin: string | null;
    name: string;
    groupName: Generated<string>;
    pinned: Generated<boolean>;
    enabled: Generated<boolean>;
    createdAt: CreatedAt;
    allowList: Generated<string[]>;
    bandwidthBps: number | null;
    alertsEnabled: Generated<boolean>;
    watchedFrom: Generated<Date>;
    suspendedAt: Date | null;
    discoveryEnabled: Generated<boolean>;
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
    /** Null: the line is not known to lose packets. */
    lossPercent: number | null;
    rttMs: number | null;
  };
  mapping: {
    id: Id;
    deviceId: number;
    serverId: number;
    kind: 'http' | 'https' | 'tcp' | 'udp';
    /** Exactly one of the three is set: the prefix below the suffix, the custom domain, or the public port. */
    prefix: string | null;
    customDomain: string | null;
    port: number | null;
    targetHost: string;
    targetPort: number;
    policy: 'owner' | 'password' | 'public' | 'closed';
    remark: Generated<string>;
    pinned: Generated<boolean>;
    enabled: Generated<boolean>;
    createdAt: CreatedAt;
    opensAt: Date | null;
    closesAt: Date | null;
    hoursDays: number[] | null;
    hoursFrom: number | null;
    hoursTo: number | null;
    /** The proxy of the frpc.toml that manages this mapping. */
    frpcProxy: string | null;
    /** Argon2id. It may be set while the policy is not `password`. */
    passwordHash: string | null;
    passwordVersion: Generated<number>;
  } & OptionColumns;
  shareLink: {
    id: Id;
    mappingId: number;
    codeHash: Buffer;
    codeSealed: Buffer;
    label: Generated<string>;
    createdAt: CreatedAt;
    expiresAt: Date;
    maxUses: number | null;
    uses: Generated<number>;
    revokedAt: Date | null;
  };
  mappingMember: {
    id: Id;
    mappingId: number;
    contact: string;
    pinned: Generated<boolean>;
    createdAt: CreatedAt;
    /** Who accepted the member's invitation, or asked for access. */
    userId: number | null;
    joinedAt: Date | null;
    /** Of a member that was allowed for a time. */
    expiresAt: Date | null;
  };
  accessRequest: {
    id: Id;
    mappingId: number;
    userId: number;
    message: Generated<string>;
    createdAt: Generated<Date>;
    refusedAt: Date | null;
  };
  invitation: {
    id: Id;
    tokenHash: Buffer;
    purpose: 'join' | 'password';
    /** Whose password it sets. */
    userId: number | null;
    memberId: number | null;
    /** Null where the account's owner asked for it. */
    invitedBy: number | null;
    email: Generated<string>;
    note: Generated<string>;
    createdAt: CreatedAt;
    expiresAt: Date;
  };
  clientWindow: { mappingId: number; openUntil: Date; claimedAt: Date | null; verificationId: number | null };
  releasedPrefix: { serverId: number; prefix: string; userId: number | null; releasedAt: Generated<Date> };
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
    latency: Generated<number[]>;
    visitors: Generated<number[]>;
    networks: Generated<number[]>;
    isTruncated: Generated<boolean>;
  };
  usageSum: {
    userId: number;
    deviceId: number | null;
    mappingId: number | null;
    unit: 'hour' | 'day' | 'month';
    startsAt: Date;
    bytesIn: number;
    bytesOut: number;
    requests: number;
    ok: number;
    clientErrors: number;
    serverErrors: number;
    failed: number;
    firstByteMs: number;
    answered: number;
    latency: number[];
    visitors: number[];
    networks: number[];
    isTruncated: boolean;
    visitorSize: GeneratedAlways<number>;
    visitorLargest: GeneratedAlways<number | null>;
    networkSize: GeneratedAlways<number>;
    networkLargest: GeneratedAlways<number | null>;
  };
  usagePlaceDay: {
    userId: number;
    deviceId: number;
    mappingId: number;
    day: Date;
    place: string;
    requests: number;
  };
  usageAccountPlaceDay: { userId: number; day: Date; place: string; requests: number };
  usageVisitorDay: {
    userId: number;
    deviceId: number;
    mappingId: number;
    day: Date;
    verificationId: number;
    requests: number;
  };
  usageRecent: {
    id: Id;
    userId: number;
    deviceId: number;
    mappingId: number;
    at: Date;
    bytesIn: number;
    bytesOut: number;
    requests: number;
    errors: number;
  };
  deviceConnection: {
    deviceId: number;
    /** Of the device, from 1. */
    number: number;
    at: Date;
    online: boolean;
    offlineReason: OfflineReason | null;
    publicIp: string;
    agentVersion: string;
  };
  deviceUptime: {
    deviceId: number;
    unit: 'hour' | 'day';
    startsAt: Date;
    onlineMs: number;
    observedMs: number;
  };
  statisticsProgress: { name: 'day' | 'month' | 'uptime'; doneUntil: Date };
  captchaChallenge: {
    key: string;
    type: 'click' | 'slide' | 'drag' | 'rotate';
    purpose: string;
    browserHash: Buffer;
    network: string;
    answer: object | null;
    createdAt: CreatedAt;
    drawnAt: Date | null;
    expiresAt: Date;
    answeredAt: Date | null;
    passed: boolean | null;
  };
  captchaTicket: {
    ticketHash: Buffer;
    purpose: string;
    browserHash: Buffer;
    expiresAt: Date;
    usedAt: Date | null;
  };
  visit: {
    id: Id;
    mappingId: number;
    at: Date;
    ms: number;
    ip: string;
    place: string;
    who: VisitWho;
    whoName: string;
    outcome: VisitOutcome;
    reason: string;
    method: string;
    path: string;
    userAgent: string;
    status: number | null;
    bytesIn: number;
    bytesOut: number;
  };
  visitUnrecorded: { mappingId: number; hour: Date; denied: number; others: number };
  visitReport: { relayId: string; bootId: string; sequence: number; storedAt: Generated<Date> };
  usageReport: { relayId: string; bootId: string; sequence: number; storedAt: Generated<Date> };
  connectionCheck: { deviceId: number; runId: string; expiresAt: Date };
  gateTicket: {
    ticketHash: Buffer;
    userId: number | null;
    mappingId: number;
    host: string;
    expiresAt: Date;
    usedAt: Date | null;
    grantedBy: Generated<'owner' | 'member' | 'password' | 'share'>;
    memberId: number | null;
    shareLinkId: number | null;
    passwordVersion: number | null;
    sessionId: number | null;
  };
  verification: {
    id: Id;
    userId: number | null;
    mappingId: number;
    host: string;
    visitorIp: string;
    userAgent: string;
    createdAt: CreatedAt;
    expiresAt: Date;
    kind: Generated<'cookie' | 'ip'>;
    revokedAt: Date | null;
    grantedBy: Generated<'owner' | 'member' | 'password' | 'share' | 'mark_client' | 'own_address'>;
    who: Generated<string>;
    memberId: number | null;
    shareLinkId: number | null;
    cookieExpiresAt: Date | null;
    sessionId: number | null;
    visitorNetwork: Generated<string>;
    publishedUntil: GeneratedAlways<Date | null>;
    ownerId: number;
    deviceId: number;
  };
  deviceAttempt: { kind: DeviceAttemptKind; network: string; userId: number | null; lastAt: Generated<Date> };
  refusedVisit: {
    id: Id;
    ownerId: number;
    mappingId: number;
    deviceId: number;
    host: string;
    reason: 'not_allowed' | 'right_ended' | 'password_wrong' | 'share_ended';
    visitor: string;
    who: Generated<string>;
    visitorIp: string;
    userAgent: string;
    hour: Date;
    count: Generated<number>;
    firstAt: Generated<Date>;
    lastAt: Generated<Date>;
  };
  deletedMapping: {
    id: number;
    ownerId: number;
    deviceId: number;
    deviceName: string;
    kind: 'http' | 'https' | 'tcp' | 'udp';
    domain: string;
    port: number | null;
    deletedAt: Generated<Date>;
  };
  ssoLogin: {
    stateHash: Buffer;
    scanHash: Buffer;
    createdAt: CreatedAt;
    expiresAt: Date;
    site: string;
    ip: string;
    userAgent: string;
    scannedAt: Date | null;
    phoneHash: Buffer | null;
    oauthCodeHash: Buffer | null;
    appId: string | null;
    openId: string | null;
    unionId: string | null;
    nickname: string | null;
    decision: 'confirmed' | 'cancelled' | null;
    decidedAt: Date | null;
    codeHash: Buffer | null;
    codeExpiresAt: Date | null;
  };
  wechatAccount: {
    userId: number;
    appId: string;
    openId: string;
    unionId: string | null;
    nickname: string;
    boundAt: Generated<Date>;
  };
  announcement: {
    id: Id;
    title: string;
    detail: string;
    url: Generated<string>;
    display: Generated<boolean>;
    createdAt: CreatedAt;
    startsAt: Date | null;
    endsAt: Date | null;
    number: number | null;
    publishedAt: Date | null;
    revision: Generated<number>;
  };
  siteEntry: {
    id: Id;
    kind: 'banner' | 'community';
    title: string;
    detail: string;
    url: string;
    qrText: string;
    position: number;
    display: boolean;
    startsAt: Date | null;
    endsAt: Date | null;
    image: Buffer | null;
    imageType: 'image/png' | 'image/jpeg' | 'image/webp' | null;
    imageSha256: string | null;
    revision: Generated<number>;
  };
  setting: { name: string; value: unknown };
  acmeAccount: {
    directoryUrl: string;
    keySealed: Buffer;
    accountUrl: string | null;
    email: Generated<string>;
    createdAt: CreatedAt;
  };
  domainCheck: {
    mappingId: number;
    domain: string;
    readyAt: Date | null;
    found: Generated<string[]>;
    wanted: Generated<string[]>;
    tries: Generated<number>;
    nextCheckAt: Generated<Date>;
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
  oneTimeCode: {
    purpose: string;
    address: string;
    browserHash: Buffer;
    codeHash: Buffer;
    tries: Generated<number>;
    expiresAt: Date;
    usedAt: Date | null;
  };
  rateCount: { key: string; hits: number; endsAt: Date };
  totp: {
    userId: number;
    secretSealed: Buffer;
    lastStep: Generated<number>;
    createdAt: Generated<Date>;
    confirmedAt: Date | null;
  };
  passkey: {
    id: Id;
    userId: number;
    rpId: string;
    credentialId: string;
    publicKey: Buffer;
    counter: number;
    transports: Generated<string[]>;
    name: string;
    createdAt: CreatedAt;
    lastUsedAt: Date | null;
    isDiscoverable: boolean | null;
    needsPassword: Generated<boolean>;
  };
  recoveryCode: { userId: number; codeHash: Buffer; usedAt: Date | null };
  passkeyChallenge: {
    boundTo: Buffer;
    purpose: 'register' | 'confirm' | 'login' | 'passkey_login';
    userId: number | null;
    challenge: string;
    expiresAt: Date;
  };
  loginStep: {
    tokenHash: Buffer;
    browserHash: Buffer;
    userId: number;
    tries: Generated<number>;
    expiresAt: Date;
    usedAt: Date | null;
  };
  apiToken: {
    id: Id;
    userId: number;
    name: string;
    hint: string;
    tokenHash: Buffer;
    scopes: string[];
    createdAt: CreatedAt;
    expiresAt: Date | null;
    lastUsedAt: Date | null;
  };
  notifiedAbsence: { deviceId: number; since: Date; notifiedAt: Generated<Date> };
  alertChannel: {
    id: Id;
    userId: number;
    kind: AlertKind;
    name: string;
    targetSealed: Buffer;
    hint: string;
    hasSecret: boolean;
    events: AlertEvent[];
    enabled: Generated<boolean>;
    createdAt: CreatedAt;
    sendingUntil: Date | null;
    lastSentAt: Date | null;
    lastFailedAt: Date | null;
    lastFailure: AlertFailure | null;
  };
  alertDelivery: {
    id: Id;
    channelId: number;
    event: AlertEvent | 'test';
    details: object;
    createdAt: CreatedAt;
    attempts: Generated<number>;
    nextTryAt: Generated<Date>;
    sentAt: Date | null;
    failedAt: Date | null;
    failure: AlertFailure | null;
  };
  knownLogin: { userId: number; browser: string; place: string; lastAt: Generated<Date> };
  trustedBrowser: {
    id: Id;
    userId: number;
    secretHash: Buffer;
    sessionId: number;
    lastUsedAt: Generated<Date>;
    ip: Generated<string>;
    userAgent: Generated<string>;
    skipsSecondStepUntil: Date | null;
  };
  cloudApp: {
    /** From the sequence of the mappings. */
    id: Generated<number>;
    deviceId: number;
    kind: CloudAppKind;
    name: string;
    targetHost: string;
    targetPort: number;
    options: CloudAppOptions;
    /** One sealed JSON with the secrets that `storedSecrets` names. */
    secretsSealed: Buffer | null;
    storedSecrets: Generated<('password' | 'private_key' | 'passphrase')[]>;
    hostKey: string | null;
    needsSecondFactor: Generated<boolean>;
    enabled: Generated<boolean>;
    /** Inserted as JSON text: the driver would make an array of PostgreSQL of it. */
    wakeTimes: ColumnType<readonly WakeTime[], string | undefined, string>;
    /** Incremented by each change that ends the open sessions. */
    version: Generated<number>;
    createdAt: CreatedAt;
  };
  /** Who may open an app, once `acceptedAt` is set. */
  cloudAppMember: {
    id: Id;
    appId: number;
    /** Null: nobody had the name when the app was offered to it. */
    userId: number | null;
    /** As the owner typed it. */
    account: string;
    acceptedAt: Date | null;
    declinedAt: Date | null;
    createdAt: CreatedAt;
  };
  cloudAppWake: {
    id: Id;
    appId: number;
    userId: number | null;
    /** Empty for the schedule. */
    who: string;
    ip: string | null;
    /** The minute of the schedule; null when somebody woke the host. */
    scheduledFor: Date | null;
    result: WakeResult;
    createdAt: CreatedAt;
  };
  lanScan: {
    deviceId: number;
    runId: string;
    startedAt: Generated<Date>;
    endedAt: Date | null;
    percent: Generated<number>;
    result: DiscoveryResult | null;
    /** When the last complete scan began. */
    completedFrom: Date | null;
    hasEarlier: Generated<boolean>;
  };
  lanHost: {
    id: Id;
    deviceId: number;
    address: string;
    mac: string | null;
    vendor: string;
    name: string;
    kind: LanKind | null;
    isSelf: boolean;
    firstSeen: Generated<Date>;
    lastSeen: Generated<Date>;
  };
  lanService: {
    id: Id;
    hostId: number;
    port: number;
    protocol: string;
    kind: LanKind | null;
    title: string;
    firstSeen: Generated<Date>;
    lastSeen: Generated<Date>;
  };
  appSession: {
    id: Id;
    appId: number | null;
    appName: string;
    appVersion: number;
    kind: CloudAppKind;
    deviceName: string;
    ownerId: number;
    userId: number | null;
    who: string;
    loginSessionId: number;
    tokenHash: Buffer;
    ip: string;
    userAgent: string;
    startedAt: CreatedAt;
    /** When a gateway last had it open. */
    seenAt: Generated<Date>;
    /** Of a terminal whose page is closed; null while it has one. */
    keptUntil: Date | null;
    endedAt: Date | null;
    endReason: AppFailure | null;
    bytesIn: Generated<number>;
    bytesOut: Generated<number>;
  };
  product: {
    id: Id;
    name: string;
    description: Generated<string>;
    days: number;
    bandwidthBps: number;
    mappingLimit: number;
    appKinds: CloudAppKind[];
    priceFen: number;
    listed: Generated<boolean>;
    position: Generated<number>;
    createdAt: CreatedAt;
    updatedAt: Generated<Date>;
  };
  bulkProduct: { id: Id; productId: number; listed: Generated<boolean>; createdAt: CreatedAt };
  bulkTier: { bulkProductId: number; fromQuantity: number; percent: number };
  place: { id: Id; name: string; note: Generated<string>; promoterId: number | null; createdAt: CreatedAt };
  productOrder: {
    id: Id;
    number: string;
    userId: number | null;
    uuidFromClient: string | null;
    kind: OrderKind;
    status: OrderStatus;
    productId: number;
    productName: string;
    days: number;
    bandwidthBps: number;
    mappingLimit: number;
    appKinds: CloudAppKind[];
    priceFen: number;
    quantity: Generated<number>;
    amountFen: number;
    refundedFen: Generated<number>;
    deviceId: number | null;
    /** The plan that it made, renewed or upgraded. */
    planId: number | null;
    placeId: number | null;
    /** Of an upgrade: what the plan was before. */
    replacedTerms: object | null;
    createdAt: CreatedAt;
    closesAt: Date;
    paidAt: Date | null;
    closedAt: Date | null;
  };
  plan: {
    /** Of the order that made it. */
    id: number;
    userId: number;
    deviceId: number | null;
    productId: number;
    productName: string;
    days: number;
    bandwidthBps: number;
    mappingLimit: number;
    appKinds: CloudAppKind[];
    priceFen: number;
    startsAt: Date;
    endsAt: Date;
    /** Which reminder about which end its owner has got. */
    remindedFor: string | null;
  };
  payment: {
    id: Id;
    orderId: number;
    provider: PaymentProviderId;
    number: string;
    amountFen: number;
    /** What came: another amount than the one asked for settles nothing. */
    paidFen: number | null;
    refundedFen: Generated<number>;
    status: Generated<'waiting' | 'paid' | 'closed'>;
    qrText: string | null;
    qrExpiresAt: Date | null;
    /** It paid the order; every other payment of the order is returned. */
    settles: Generated<boolean>;
    transactionId: string | null;
    createdAt: CreatedAt;
    /** When the buyer chose this way to pay last. */
    chosenAt: Generated<Date>;
    expiresAt: Date;
    askedAt: Date | null;
    paidAt: Date | null;
    /** Day of the provider's bill that lists it. */
    billedDay: string | null;
  };
  refund: {
    id: Id;
    paymentId: number;
    number: string;
    amountFen: number;
    reason: string;
    status: Generated<'requested' | 'pending' | 'done' | 'failed'>;
    /** User name; empty: it was made without anybody. */
    madeBy: Generated<string>;
    tries: Generated<number>;
    nextTryAt: Generated<Date>;
    problem: string | null;
    createdAt: CreatedAt;
    doneAt: Date | null;
    billedDay: string | null;
  };
  comparedBill: { provider: string; day: string; differences: object; comparedAt: Generated<Date> };
  ledgerTransaction: { id: Id; reference: string; orderId: number | null; createdAt: CreatedAt };
  ledgerEntry: { id: Id; transactionId: number; account: string; amountFen: number };
  keyBatch: {
    id: Id;
    productId: number;
    productName: string;
    days: number;
    bandwidthBps: number;
    mappingLimit: number;
    appKinds: CloudAppKind[];
    priceFen: number;
    placeId: number | null;
    orderId: number | null;
    keyCount: number;
    expiresAt: Date | null;
    uuidFromClient: string | null;
    createdAt: CreatedAt;
  };
  productKey: {
    id: Id;
    batchId: number;
    placeId: number | null;
    keyHash: Buffer;
    keySealed: Buffer;
    hint: string;
    status: Generated<ProductKeyStatus>;
    note: Generated<string>;
    /** Who got it as a reward, or bought it without a place. A user who has its text may redeem it. */
    ownerId: number | null;
    expiresAt: Date | null;
    changedAt: Generated<Date>;
    redeemedAt: Date | null;
    redeemedBy: number | null;
    orderId: number | null;
  };
  /** Kept by triggers of `product_key`. Keys without a place have a null. */
  keyCount: { placeId: number | null; status: ProductKeyStatus; keyCount: number; worthFen: number };
  invitationReward: {
    id: Id;
    userId: number;
    inviteeId: number | null;
    inviteeName: string;
    event: 'joined' | 'paid';
    status: 'pending' | 'claimable' | 'claimed' | 'void';
    days: number;
    worthFen: number;
    orderId: number | null;
    createdAt: CreatedAt;
    claimableAt: Date | null;
    claimedAt: Date | null;
    claimedAs: 'days' | 'key' | null;
    voidReason: 'refunded' | 'same-person' | 'monthly-cap' | null;
  };
  personTrace: {
    userId: number;
    kind: 'phone' | 'wechat' | 'device' | 'network';
    valueHash: Buffer;
    firstAt: Generated<Date>;
    lastAt: Generated<Date>;
  };
  auditEntry: {
    id: Id;
    at: CreatedAt;
    actorId: number | null;
    actor: string;
    ip: string;
    action: string;
    objectType: string;
    objectId: number | null;
    objectName: string;
    before: object;
    after: object;
  };
  job: {
    name: string;
    everySeconds: number;
    nextRunAt: Generated<Date>;
    takenUntil: Date | null;
    lastStartedAt: Date | null;
    lastFinishedAt: Date | null;
    lastError: string | null;
  };
};
