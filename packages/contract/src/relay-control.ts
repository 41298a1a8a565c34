/**
 * What server and relay tell each other over one WebSocket (`/internal/relay-control/`), as JSON text frames.
 * State transfer, not commands: the server sends what a device's routes are now, so a repeated message is harmless.
 */
import { z } from 'zod';
import { OfflineReason } from './devices.ts';
import { MappingKind, MappingPolicy } from './mappings.ts';

export const RELAY_CONTROL_PROTOCOL = 1;

const DeviceId = z.number().int().positive();
const Correlation = z.number().int().nonnegative();

/** One public name and where it leads; everything a relay needs to decide a request without I/O. */
export const Route = z.object({
  mappingId: z.number().int().positive(),
  host: z.string().describe('lower case, without port'),
  protocol: MappingKind,
  targetHost: z.string(),
  targetPort: z.number().int(),
  policy: MappingPolicy,
  enabled: z.boolean(),
});
export type Route = z.infer<typeof Route>;

export const DeviceRoutes = z.object({
  deviceId: DeviceId,
  uid: z.string(),
  publicKey: z.string().describe('base64url raw Ed25519 key, 32 bytes'),
  enabled: z.boolean(),
  routes: z.array(Route),
});
export type DeviceRoutes = z.infer<typeof DeviceRoutes>;

const Versioned = { version: z.number().int().positive() };

/** A whole picture (version n), then single changes (n+1, n+2 …). A relay that sees a gap asks with `resync`. */
export const ServerToRelay = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    ...Versioned,
    gateKey: z.string().describe('base64url, 32 bytes: signs the cookies of verified visitors'),
    consoleUrl: z.string(),
    devices: z.array(DeviceRoutes),
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
  z.object({
    type: z.literal('probe'),
    correlation: Correlation,
    deviceId: DeviceId,
    mappingId: z.number().int().positive(),
  }),
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
  step: z.enum(['relay', 'agent', 'dns_lan', 'tcp', 'tls', 'http']),
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
  }),
  z.object({ type: z.literal('probe_result'), correlation: Correlation, result: ProbeResult }),
]);
export type RelayToServer = z.infer<typeof RelayToServer>;
