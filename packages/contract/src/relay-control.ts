/**
 * The messages between server and relay, JSON text frames over one WebSocket (`/internal/relay-control/`). They
 * transfer state, not commands: the server sends a device's current routes, so a repeated message is harmless.
 */
import { z } from 'zod';
import { RelayAttemptKind } from './devices/device-attempts.ts';
import { OfflineReason } from './devices/devices.ts';
import { LATENCY_BOUNDS_MS } from './statistics/latency.ts';
import { MappingKind, MappingPolicy, optionSchemas } from './mappings/mappings.ts';
import { TrialResult, TrialVisit } from './trial-visits.ts';
import { MAX_VISIT_BATCH, UnrecordedVisits, VisitRecord } from './visit-record.ts';

/** The server refuses a relay with another protocol version. The relay goes on from memory and reconnects. */
export const RELAY_CONTROL_PROTOCOL = 8;

/** The most certificates that relays are sent. Each takes about ten kilobytes of every relay's memory. */
export const MAX_EDGE_CERTIFICATES = 20_000;

const DeviceId = z.number().int().positive();
const CertificateId = z.number().int().positive();
const Correlation = z.number().int().nonnegative();

/**
 * When visitors are let in, in minutes of the day in Beijing. With `toMinute` below `fromMinute` it runs past midnight.
 */
export const RouteHours = z.object({
  days: z.array(z.number().int().min(1).max(7)).describe('1 Monday … 7 Sunday: the days on which the time begins'),
  fromMinute: z.number().int().min(0).max(1439),
  toMinute: z.number().int().min(0).max(1440),
});
export type RouteHours = z.infer<typeof RouteHours>;

/** A visitor's address that passes without a cookie, for programs that cannot store one. */
export const VerifiedIp = z.object({
  verificationId: z.number().int().positive(),
  ip: z.string(),
  expiresAtMs: z.number().int(),
});
export type VerifiedIp = z.infer<typeof VerifiedIp>;

/** A browser's proof that is valid longer than its cookie says. */
export const ExtendedVerification = z.object({
  verificationId: z.number().int().positive(),
  expiresAtMs: z.number().int(),
});
export type ExtendedVerification = z.infer<typeof ExtendedVerification>;

/** One public address and its target: everything that a relay needs to decide a request without I/O. */
export const Route = z.object({
  mappingId: z.number().int().positive(),
  kind: MappingKind,
  host: z.string().describe('lower case, without port; empty for tcp and udp'),
  isOwnDomain: z.boolean().describe('the host is a domain of the user, not a name below the suffix'),
  port: z.number().int().nullable().describe('the public port of tcp and udp'),
  targetHost: z.string(),
  targetPort: z.number().int(),
  ...optionSchemas,
  policy: MappingPolicy,
  enabled: z.boolean(),
  isOverPlanLimit: z.boolean().optional().describe('older mappings use up what the plan of the device allows'),
  opensAtMs: z.number().int().nullable(),
  closesAtMs: z.number().int().nullable(),
  hours: RouteHours.nullable(),
  verifiedIps: z.array(VerifiedIp),
  extendedVerifications: z.array(ExtendedVerification),
  revokedVerifications: z
    .array(z.number().int())
    .describe('revoked before they expired; their cookies are no longer valid'),
  /** Until then, the first client that would be refused is marked: its address then passes (`mark_client`). */
  clientWindowUntilMs: z.number().int().nullable(),
  frpcProxy: z
    .string()
    .optional()
    .describe('the proxy of a frpc.toml that leads to the target; empty: it has left. `targetHost` is only a name'),
});
export type Route = z.infer<typeof Route>;

/** The target of a cloud app. No visitor reaches it: only the gateway opens streams to it. */
export const AppRoute = z.object({
  appId: z.number().int().positive().describe('no mapping has the same id'),
  targetHost: z.string(),
  targetPort: z.number().int(),
});
export type AppRoute = z.infer<typeof AppRoute>;

export const DeviceRoutes = z.object({
  deviceId: DeviceId,
  userId: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('the owner; without it the relay treats all other devices as those of other owners'),
  uid: z.string(),
  publicKey: z.string().optional().describe('of the agent: base64url raw Ed25519 key, 32 bytes; absent: it runs frpc'),
  frpcToken: z.string().optional().describe('the secret of a device that runs a stock frpc'),
  frpcLogin: z
    .string()
    .optional()
    .describe('the `user` of a frpc whose own frpc.toml manages the mappings; absent: `uid`'),
  enabled: z.boolean(),
  isSuspended: z
    .boolean()
    .optional()
    .describe('staff have suspended it or the account of its owner, so its agent is refused'),
  /** Addresses and CIDR ranges whose visitors pass on every mapping of this device without verification. */
  allowList: z.array(z.string()),
  /** Bit/s in each direction, for all visitors together; null: no limit. */
  bandwidthBps: z.number().int().positive().nullable(),
  planEndsAtMs: z
    .number()
    .int()
    .optional()
    .describe('visitors are refused from then on; 0: there is no plan; absent: the device needs none'),
  routes: z.array(Route),
  apps: z.array(AppRoute).optional().describe('enabled cloud apps; absent: none'),
});
export type DeviceRoutes = z.infer<typeof DeviceRoutes>;

/** A certificate for visitors. */
export const EdgeCertificate = z.object({
  id: CertificateId,
  names: z.array(z.string()).describe('lower case; `*.` at the beginning stands for one label'),
  cert: z.string().describe('PEM, the leaf first'),
  key: z.string().describe('PEM'),
});
export type EdgeCertificate = z.infer<typeof EdgeCertificate>;

/** The rest of what a relay needs for TLS. It is sent completely at the beginning and after each change. */
export const EdgeState = z.object({
  /** The answers below `/.well-known/acme-challenge/` (RFC 8555 §8.3). */
  challenges: z.array(z.object({ token: z.string(), keyAuthorization: z.string() })),
  /**
   * 48 bytes, base64url. All relay processes share the keys, so each can resume the TLS sessions of the others. They
   * change once a day.
   */
  ticketKeys: z.string(),
});
export type EdgeState = z.infer<typeof EdgeState>;

/** Concurrent calls of each kind that the server takes of one relay. Separate, because anonymous clients can cause many of two kinds, and devices must still connect. */
export const MAX_RELAY_CALLS = {
  ...{ enrol: 128, redeem_ticket: 256, mark_client: 128 },
  ...{ frpc_login: 64, frpc_claim: 128, frpc_proxy: 32 },
} as const;

/** The version of frp's protocol between frpc and a relay. */
export const FrpWire = z.enum(['v1', 'v2']);
export type FrpWire = z.infer<typeof FrpWire>;

const IsAhead = z
  .literal(true)
  .optional()
  .describe('its time is still to come: the login is not accepted, and of no use later');

/** What the `user` of a frpc with its own frpc.toml begins with. */
export const FRPC_LOGIN_PREFIX = 'tt-';

/** The most domains of a proxy of frpc, and the longest of them. */
export const MAX_FRPC_DOMAINS = 64;
export const MAX_FRPC_DOMAIN_LENGTH = 512;

/** A proxy of a user's own frpc.toml. */
export const FrpcProxy = z.object({
  name: z.string().min(1).max(256).describe('without the prefix of the `user`'),
  type: z.enum(['http', 'https', 'tcp', 'udp', 'stcp']),
  remotePort: z.number().int(),
  domains: z.array(z.string().max(MAX_FRPC_DOMAIN_LENGTH)).max(MAX_FRPC_DOMAINS),
  subdomain: z.string().max(512),
  hostRewrite: z.string().max(512).describe('the Host that the service gets; empty: that of the visitor'),
});
export type FrpcProxy = z.infer<typeof FrpcProxy>;

const DatabaseId = z.number().int().positive().max(2_147_483_647);

/** The most visitors, and the most networks, that one report lists of a mapping. */
export const MAX_REPORTED_SOURCES = 500;

/** The usage of one mapping since the last report. */
export const UsageEntry = z.object({
  mappingId: z.number().int().positive(),
  bytesIn: z.number().int().nonnegative().describe('from visitors to the LAN service'),
  bytesOut: z.number().int().nonnegative().describe('from the LAN service to visitors'),
  requests: z.number().int().nonnegative().describe('HTTP requests, TCP connections, UDP conversations'),
  /** Requests that the LAN service answered with 1xx–3xx, 4xx and 5xx, and those without a complete answer. */
  ok: z.number().int().nonnegative(),
  clientErrors: z.number().int().nonnegative(),
  serverErrors: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  /** The sum of the times from request to first byte of the answer, over `answered` requests. */
  firstByteMs: z.number().nonnegative(),
  answered: z.number().int().nonnegative(),
  /** The answered requests by their time to the first byte, see `latencyBucketOf`. A relay of an older version sends none. */
  latency: z
    .array(z.number().int().nonnegative())
    .max(LATENCY_BOUNDS_MS.length + 1)
    .default([]),
  /** Verification id and requests, of visitors who showed a proof. */
  visitors: z
    .array(z.tuple([DatabaseId, z.number().int().positive()]))
    .max(MAX_REPORTED_SOURCES)
    .default([]),
  /** Address and requests; an IPv6 network of 64 bits counts as one address. */
  networks: z
    .array(z.tuple([z.string().max(64), z.number().int().positive()]))
    .max(MAX_REPORTED_SOURCES)
    .default([]),
  /** There were more visitors or networks than a report lists. */
  isTruncated: z.boolean().default(false),
});
export type UsageEntry = z.infer<typeof UsageEntry>;

const Versioned = { version: z.number().int().positive() };

/**
 * A snapshot comes in parts, and changes may come between them. Each message has the next version number. A relay that
 * notices a gap sends `resync`. Until a snapshot is complete the relay uses its previous routes.
 */
/** A newer agent, signed by the server. The device verifies it. */
export const AgentUpgradeOffer = z.object({
  version: z.string().max(40),
  sha256: z.string().max(64),
  signature: z.string().max(86),
});
export type AgentUpgradeOffer = z.infer<typeof AgentUpgradeOffer>;

export const ServerToRelay = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    ...Versioned,
    isFirst: z.boolean().describe('begins a snapshot: an unfinished one is discarded'),
    isLast: z.boolean().describe('the snapshot is complete: what it does not contain is deleted'),
    gateKey: z.string().describe('base64url, 32 bytes: signs the cookies of verified visitors'),
    consoleUrl: z.string(),
    devices: z.array(DeviceRoutes),
    keptDeviceIds: z
      .array(DeviceId)
      .describe('devices that the server could not read: the relay keeps them as they are'),
  }),
  z.object({ type: z.literal('device'), ...Versioned, device: DeviceRoutes }),
  z.object({ type: z.literal('device_removed'), ...Versioned, deviceId: DeviceId }),
  z.object({
    type: z.literal('enrol_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), device: DeviceRoutes }),
      z.object({ ok: z.literal(false), code: z.string() }),
    ]),
  }),
  z.object({
    type: z.literal('ticket_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({
        ok: z.literal(true),
        verificationId: z.number().int().positive(),
        mappingId: z.number().int().positive(),
        expiresAtMs: z.number().int(),
      }),
      z.object({ ok: z.literal(false), code: z.string() }),
    ]),
  }),
  /** The device with the marked address. It takes its place in the order of route changes. */
  z.object({
    type: z.literal('mark_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), device: DeviceRoutes }),
      z.object({ ok: z.literal(false), code: z.string() }),
    ]),
  }),
  z.object({
    type: z.literal('frpc_login_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), device: DeviceRoutes }),
      z.object({ ok: z.literal(false), code: z.string() }),
    ]),
  }),
  z.object({
    type: z.literal('frpc_claim_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true) }),
      z.object({ ok: z.literal(false), code: z.string() }),
    ]),
  }),
  /** The device with the mappings of the proxy. `text` is for the log of frpc. */
  z.object({
    type: z.literal('frpc_proxy_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({
        ok: z.literal(true),
        device: DeviceRoutes,
        mappingIds: z
          .array(z.number().int().positive())
          .optional()
          .describe('where the proxy leads; also mappings of another proxy that has the same domain'),
      }),
      z.object({ ok: z.literal(false), code: z.string(), text: z.string().optional() }),
    ]),
  }),
  z.object({
    type: z.literal('probe'),
    correlation: Correlation,
    deviceId: DeviceId,
    mappingId: z.number().int().positive().describe('or the id of a cloud app: its target is tried over TCP'),
  }),
  /** Visit a mapping as a visitor would, without its gate. The answer is a `trial_result`. */
  z.object({ type: z.literal('trial'), correlation: Correlation, deviceId: DeviceId, visit: TrialVisit }),
  /** The device wakes a machine in its network. The answer is a `probe_result`. */
  z.object({ type: z.literal('wake'), correlation: Correlation, deviceId: DeviceId, mac: z.string().max(17) }),
  /** The device starts anew with a newer agent. The answer is a `probe_result`. */
  z.object({
    type: z.literal('upgrade'),
    correlation: Correlation,
    deviceId: DeviceId,
    offer: AgentUpgradeOffer,
  }),
  /** Have the device scan its LAN. The relay answers with `discovery` messages, the last one with a report of type `end`. */
  z.object({ type: z.literal('discover'), correlation: Correlation, deviceId: DeviceId }),
  /** Have the device say what it finds out about its own connection. The answer is a `diagnosis`. */
  z.object({ type: z.literal('diagnose'), correlation: Correlation, deviceId: DeviceId }),
  z.object({ type: z.literal('edge'), edge: EdgeState }),
  /** Further certificates; one with a known id replaces it. Large sets come in several messages of about a megabyte. */
  z.object({ type: z.literal('certificates'), certificates: z.array(EdgeCertificate) }),
  /** The ids of all certificates that are still in use. The relay deletes the others. */
  z.object({ type: z.literal('certificates_kept'), ids: z.array(CertificateId).max(MAX_EDGE_CERTIFICATES) }),
  /** All reports up to this one are stored. */
  z.object({ type: z.literal('usage_stored'), sequence: z.number().int().positive() }),
  /** All reports of visits up to this one are stored. */
  z.object({ type: z.literal('visits_stored'), sequence: z.number().int().positive() }),
  /** The server's rows belong to an earlier start of this relay: it must send `hello` again. */
  z.object({ type: z.literal('greet') }),
]);
export type ServerToRelay = z.infer<typeof ServerToRelay>;

export const PresenceEvent = z.discriminatedUnion('online', [
  z.object({
    online: z.literal(true),
    deviceId: DeviceId,
    epoch: z.number().int().positive(),
    atMs: z.number().int(),
    publicIp: z.string(),
    agentVersion: z.string(),
    platform: z.string(),
  }),
  z.object({
    online: z.literal(false),
    deviceId: DeviceId,
    epoch: z.number().int().positive(),
    atMs: z.number().int(),
    reason: OfflineReason,
  }),
]);
export type PresenceEvent = z.infer<typeof PresenceEvent>;

export const ProbeResult = z.object({
  ok: z.boolean(),
  step: z.enum(['relay', 'agent', 'dns_lan', 'tcp', 'udp', 'tls', 'http']),
  ms: z.number().int().nonnegative(),
  /** A keyword for the result, such as `refused`, `timeout`, `not_found` or `status_200`. */
  seen: z.string().max(200),
  /** Of a service that answers by TLS: why today's rules refuse it. Agents may know words that the server does not. */
  weakness: z.string().max(40).optional(),
  /** UDP: lately visitors had so many conversations that the longest idle ones were ended. */
  wasFull: z.boolean().optional(),
});
export type ProbeResult = z.infer<typeof ProbeResult>;

/** The most that one message lists. */
export const MAX_RELAY_ATTEMPTS = 50;

/** A device that a relay did not let in. */
export const RelayAttempt = z.object({
  kind: RelayAttemptKind,
  ip: z.string().max(64),
  deviceId: DeviceId.optional().describe('the device whose id it named'),
});
export type RelayAttempt = z.infer<typeof RelayAttempt>;
/** The most lines that one message describes. */
export const MAX_REPORTED_LINES = 1_000;

/** The share of the bytes that had to be sent again, and the round trip. */
export const LineLoss = z.object({
  percent: z.number().min(0).max(100),
  rttMs: z.number().int().nonnegative().max(1_000_000),
});
export type LineLoss = z.infer<typeof LineLoss>;

/** Whether the line to a device loses packets, over some minutes with traffic. */
export const DeviceLine = z.object({
  deviceId: DeviceId,
  loss: LineLoss.nullable().describe('null: none that is worth a word, or too little traffic to judge'),
});
export type DeviceLine = z.infer<typeof DeviceLine>;

/** The most connections of a device that are described. */
export const MAX_SENT_LINES = 16;

/** How what the relay sends over one connection to a device fares. Null: the relay's kernel does not say it. */
export const SentLine = z.object({
  rttMs: z.number().nonnegative().nullable(),
  lossPercent: z.number().min(0).max(100).nullable(),
  congestionControl: z.string().max(20).nullable(),
  bytesPerS: z.number().nonnegative().nullable(),
});
export type SentLine = z.infer<typeof SentLine>;

/**
 * What a device found out about its own connection. The report is the agent's own: the server parses it by the schema of
 * the tunnel's messages (`DiagnosisReport`). `outdated`: the agent cannot do it yet; `unsupported`: the device runs frpc.
 */
export const DiagnosisResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    report: z.unknown(),
    sent: z.array(SentLine).max(MAX_SENT_LINES).optional().describe('absent where the relay cannot measure it'),
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(['offline', 'outdated', 'unsupported', 'busy', 'timeout', 'lost']),
  }),
]);
export type DiagnosisResult = z.infer<typeof DiagnosisResult>;

export const RelayToServer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    relayId: z.string().max(64),
    bootId: z.string().max(64),
    /** All connected devices. They replace everything that the server knows of this relay's devices. */
    online: z.array(PresenceEvent),
  }),
  z.object({ type: z.literal('resync') }),
  z.object({
    type: z.literal('heartbeat'),
    load: z.number().min(0).max(1),
    /** Identifies this start of the relay. The server answers `greet` when its row belongs to another start. */
    bootId: z.string().max(64),
  }),
  z.object({ type: z.literal('presence'), events: z.array(PresenceEvent).max(10_000) }),
  /**
   * The server counts each `sequence` of a start once, so repeats are harmless. The next report follows `usage_stored`.
   */
  z.object({
    type: z.literal('usage'),
    bootId: z.string().max(64),
    sequence: z.number().int().positive(),
    entries: z.array(UsageEntry).max(10_000),
  }),
  /** Like `usage`: stored once, and the next one follows `visits_stored`. */
  z.object({
    type: z.literal('visits'),
    bootId: z.string().max(64),
    sequence: z.number().int().positive(),
    records: z.array(VisitRecord).max(MAX_VISIT_BATCH),
    unrecorded: z.array(UnrecordedVisits).max(MAX_VISIT_BATCH),
  }),
  /** Lines that have begun or ceased to lose packets, or do so otherwise than before. */
  z.object({
    type: z.literal('lines'),
    isWhole: z.boolean().describe('after `hello`: all other lines of this relay are good'),
    lines: z.array(DeviceLine).max(MAX_REPORTED_LINES),
  }),
  /** Helps who is just adding a device. Not repeated: what is lost is missing there. */
  z.object({ type: z.literal('device_attempts'), attempts: z.array(RelayAttempt).max(MAX_RELAY_ATTEMPTS) }),
  z.object({
    type: z.literal('enrol'),
    correlation: Correlation,
    token: z.string().max(200),
    publicKey: z.string().max(64),
    name: z.string().max(200),
    publicIp: z.string().max(64),
  }),
  z.object({
    type: z.literal('redeem_ticket'),
    correlation: Correlation,
    ticket: z.string().max(300),
    host: z.string().max(260),
    visitorIp: z.string().max(64),
    userAgent: z.string().max(512),
    verificationId: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('the verification in the cookie that this browser already has'),
  }),
  /**
   * A client came while the owner's client window was open. If several relays report one, the server marks the first.
   */
  z.object({
    type: z.literal('mark_client'),
    correlation: Correlation,
    mappingId: z.number().int().positive(),
    ip: z.string().max(64),
    userAgent: z.string().max(512),
  }),
  /** A frpc with its own frpc.toml logs in for the first time with this `user`: the server makes a device of it. */
  z.object({
    type: z.literal('frpc_login'),
    correlation: Correlation,
    user: z.string().max(128),
    key: z.string().max(128),
    timestamp: z.number().int(),
    wire: FrpWire,
    hostName: z.string().max(256),
    isAhead: IsAhead,
  }),
  /** A login of frpc whose key is right: the server accepts each time of a device once, and none before the last one. */
  z.object({
    type: z.literal('frpc_claim'),
    correlation: Correlation,
    deviceId: DeviceId,
    timestamp: z.number().int(),
    wire: FrpWire,
    isAhead: IsAhead,
  }),
  /** A frpc has proven its token by wire v2, whose key depends on the connection: from now on it must not use v1. */
  z.object({ type: z.literal('frpc_proven'), deviceId: DeviceId }),
  /** The server makes mappings of the proxy. Repeated at each login of frpc. */
  z.object({
    type: z.literal('frpc_proxy'),
    correlation: Correlation,
    deviceId: DeviceId,
    proxy: FrpcProxy,
    keptMappingIds: z
      .array(z.number().int().positive())
      .max(1_000)
      .default([])
      .describe('other proxies lead there now: they stay as they are'),
  }),
  z.object({ type: z.literal('probe_result'), correlation: Correlation, result: ProbeResult }),
  z.object({ type: z.literal('trial_result'), correlation: Correlation, result: TrialResult }),
  /** The report is the agent's own: the server parses it by the schema of the tunnel's messages (`DiscoveryReport`). */
  z.object({ type: z.literal('discovery'), correlation: Correlation, report: z.unknown() }),
  z.object({ type: z.literal('diagnosis'), correlation: Correlation, result: DiagnosisResult }),
]);
export type RelayToServer = z.infer<typeof RelayToServer>;
