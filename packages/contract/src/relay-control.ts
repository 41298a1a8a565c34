/**
 * The messages of server and relay over one WebSocket (`/internal/relay-control/`), as JSON text frames.
 * State transfer, not commands: the server sends what a device's routes are now, so a repeated message is harmless.
 */
import { z } from 'zod';
import { OfflineReason } from './devices.ts';
import { MappingKind, MappingPolicy, optionSchemas } from './mappings.ts';

/** A server turns away a relay that speaks another one: it goes on from memory and tries again. */
export const RELAY_CONTROL_PROTOCOL = 2;

/** The most that relays are sent: each takes some ten thousand bytes of every relay's memory. */
export const MAX_EDGE_CERTIFICATES = 20_000;

const DeviceId = z.number().int().positive();
const CertificateId = z.number().int().positive();
const Correlation = z.number().int().nonnegative();

/** When visitors may come, in minutes of the day in Beijing; `toMinute` below `fromMinute` runs past midnight. */
export const RouteHours = z.object({
  days: z.array(z.number().int().min(1).max(7)).describe('1 Monday … 7 Sunday: the days on which the time begins'),
  fromMinute: z.number().int().min(0).max(1439),
  toMinute: z.number().int().min(0).max(1440),
});
export type RouteHours = z.infer<typeof RouteHours>;

/** A visitor's address that may pass without a cookie, for what cannot hold one. */
export const VerifiedIp = z.object({
  verificationId: z.number().int().positive(),
  ip: z.string(),
  expiresAtMs: z.number().int(),
});
export type VerifiedIp = z.infer<typeof VerifiedIp>;

/** A browser's proof that counts longer than its cookie says. */
export const ExtendedVerification = z.object({
  verificationId: z.number().int().positive(),
  expiresAtMs: z.number().int(),
});
export type ExtendedVerification = z.infer<typeof ExtendedVerification>;

/** One public address and where it leads; everything a relay needs to decide a request without I/O. */
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
  opensAtMs: z.number().int().nullable(),
  closesAtMs: z.number().int().nullable(),
  hours: RouteHours.nullable(),
  verifiedIps: z.array(VerifiedIp),
  extendedVerifications: z.array(ExtendedVerification),
  revokedVerifications: z.array(z.number().int()).describe('ended before their time; their cookies count no more'),
  /** Until then the first client that would have to be verified is marked: it passes by its address (`mark_client`). */
  clientWindowUntilMs: z.number().int().nullable(),
});
export type Route = z.infer<typeof Route>;

export const DeviceRoutes = z.object({
  deviceId: DeviceId,
  userId: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('whose device it is; a relay that is not told takes no other device to be of the same owner'),
  uid: z.string(),
  publicKey: z.string().describe('base64url raw Ed25519 key, 32 bytes'),
  enabled: z.boolean(),
  isSuspended: z.boolean().optional().describe('the account of its owner is disabled: its agent is not let in'),
  /** Addresses and CIDR ranges from which visitors pass every mapping of this device without being asked. */
  allowList: z.array(z.string()),
  /** Bit/s of each direction, all visitors together; null: as fast as it goes. */
  bandwidthBps: z.number().int().positive().nullable(),
  routes: z.array(Route),
});
export type DeviceRoutes = z.infer<typeof DeviceRoutes>;

/** What visitors may be shown. */
export const EdgeCertificate = z.object({
  id: CertificateId,
  names: z.array(z.string()).describe('lower case; `*.` at the beginning stands for one label'),
  cert: z.string().describe('PEM, the leaf first'),
  key: z.string().describe('PEM'),
});
export type EdgeCertificate = z.infer<typeof EdgeCertificate>;

/** What else a relay needs for TLS. Sent whole at the beginning and whenever something of it changes. */
export const EdgeState = z.object({
  /** Answers below `/.well-known/acme-challenge/` (RFC 8555 §8.3). */
  challenges: z.array(z.object({ token: z.string(), keyAuthorization: z.string() })),
  /** 48 bytes, base64url: every relay process continues the sessions of the others. Changes once a day. */
  ticketKeys: z.string(),
});
export type EdgeState = z.infer<typeof EdgeState>;

/** What went over one mapping since the last report. */
export const UsageEntry = z.object({
  mappingId: z.number().int().positive(),
  bytesIn: z.number().int().nonnegative().describe('from visitors to the LAN service'),
  bytesOut: z.number().int().nonnegative().describe('from the LAN service to visitors'),
  requests: z.number().int().nonnegative().describe('HTTP requests, TCP connections, UDP conversations'),
  /** How many were answered 1xx–3xx, 4xx, 5xx by the LAN service, and how many got no whole answer. */
  ok: z.number().int().nonnegative(),
  clientErrors: z.number().int().nonnegative(),
  serverErrors: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  /** Milliseconds from the request to the first byte of its answer, added up over `answered` of them. */
  firstByteMs: z.number().nonnegative(),
  answered: z.number().int().nonnegative(),
});
export type UsageEntry = z.infer<typeof UsageEntry>;

const Versioned = { version: z.number().int().positive() };

/**
 * A whole snapshot of the routes in parts, and single changes, also between the parts: each one more than the version before.
 * A relay that sees a gap asks with `resync`. Until the last part has come it goes by what it had.
 */
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
      .describe('there are these, too, but they could not be read: they stay as they were'),
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
  /** The device with the client's address among those that pass, in order with the other changes of routes. */
  z.object({
    type: z.literal('mark_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), device: DeviceRoutes }),
      z.object({ ok: z.literal(false), code: z.string() }),
    ]),
  }),
  z.object({
    type: z.literal('probe'),
    correlation: Correlation,
    deviceId: DeviceId,
    mappingId: z.number().int().positive(),
  }),
  z.object({ type: z.literal('edge'), edge: EdgeState }),
  /** Some more, or others in the place of those with the same id; as many messages as it takes, each of a megabyte or so. */
  z.object({ type: z.literal('certificates'), certificates: z.array(EdgeCertificate) }),
  /** Of all certificates that were sent, only these are still in use. */
  z.object({ type: z.literal('certificates_kept'), ids: z.array(CertificateId).max(MAX_EDGE_CERTIFICATES) }),
  /** Everything up to this report is stored. */
  z.object({ type: z.literal('usage_stored'), sequence: z.number().int().positive() }),
  /** The server's rows belong to another start of this relay: say `hello` again. */
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
  /** A machine word for what was seen, e.g. `refused`, `timeout`, `not_found`, `status_200`. */
  seen: z.string().max(200),
});
export type ProbeResult = z.infer<typeof ProbeResult>;

export const RelayToServer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    relayId: z.string().max(64),
    bootId: z.string().max(64),
    /** Every device connected now; whatever else the server believed of this relay is over. */
    online: z.array(PresenceEvent),
  }),
  z.object({ type: z.literal('resync') }),
  z.object({
    type: z.literal('heartbeat'),
    load: z.number().min(0).max(1),
    /** Which start of the relay speaks; the server answers `greet` when its row belongs to another one. */
    bootId: z.string().max(64),
  }),
  z.object({ type: z.literal('presence'), events: z.array(PresenceEvent).max(10_000) }),
  /** Counted once per `sequence` of this start, however often it is sent; the next one follows `usage_stored`. */
  z.object({
    type: z.literal('usage'),
    bootId: z.string().max(64),
    sequence: z.number().int().positive(),
    entries: z.array(UsageEntry).max(10_000),
  }),
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
    verificationId: z.number().int().positive().optional().describe('that this browser has proven and still has'),
  }),
  /** A client came while the owner's window was open; of several, at however many relays, one is marked. */
  z.object({
    type: z.literal('mark_client'),
    correlation: Correlation,
    mappingId: z.number().int().positive(),
    ip: z.string().max(64),
    userAgent: z.string().max(512),
  }),
  z.object({ type: z.literal('probe_result'), correlation: Correlation, result: ProbeResult }),
]);
export type RelayToServer = z.infer<typeof RelayToServer>;
