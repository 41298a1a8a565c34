/**
 * The messages between agent and relay on stream 1: a u32 big-endian length and that many bytes of JSON each. Unknown
 * fields are ignored, and agents ignore unknown messages, so that either side may be newer.
 */
import { z } from 'zod';
import { DiagnosisReport } from './diagnosis-report.ts';
import { DiscoveryReport } from './discovery-report.ts';
import { HttpRules } from './http-rules.ts';
import { UpgradeOffer } from './upgrade-offer.ts';

/** Raised when an agent and a relay of different releases would misunderstand each other; see messages.test.ts. */
export const PROTOCOL_VERSION = 1;

export const MAX_MESSAGE_BYTES = 1 << 20;

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/);

/** One LAN address that the relay may ask the agent to dial. The agent dials nothing else. */
export const AllowedTarget = z.object({
  mappingId: z.number().int().positive(),
  host: z.string().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  /** Absent from relays that only know TCP. */
  transport: z.enum(['tcp', 'udp']).default('tcp'),
});
export type AllowedTarget = z.infer<typeof AllowedTarget>;

/** A relay address that agents may dial. An empty host means the host that the agent has dialled. */
export const TunnelAddress = z.object({ host: z.string().max(253), port: z.number().int().min(1).max(65_535) });
export type TunnelAddress = z.infer<typeof TunnelAddress>;

/**
 * Features that were added after the first release. A relay uses only those that the agent's `hello` names.
 * `tls-name`: takes open requests of version 3, which name the target for the TLS handshake.
 * `marks-answers`: after writing to a target, the agent sends an empty window update before the next bytes from there.
 * `measure`: says how the bytes fared that it has sent; see `measure`.
 * `channels`: takes a session of several connections, which survives the loss of each; see `welcome.session`.
 */
export const AGENT_FEATURES = [
  'tcp-probe',
  'udp',
  'tls-verified',
  'marks-answers',
  'wake',
  'discovery',
  'upgrade',
  'diagnose',
  'tls-name',
  'tls-h2',
  'channels',
  'measure',
] as const;

/**
 * Features of a relay process that stands in for a frpc. `connection-origin`: takes open requests of version 2, which say
 * whose connection it is.
 */
export const STAND_IN_FEATURES = ['connection-origin'] as const;
export type AgentFeature = (typeof AGENT_FEATURES)[number] | (typeof STAND_IN_FEATURES)[number];

/** What an agent needs to open further connections of its session, its channels, or to replace a lost one. */
export const ChannelSession = z.object({
  id: Base64Url.length(22),
  secret: Base64Url.length(43),
  /** Channels have the numbers from 0, which is the connection of the login, up to one less than this. */
  maxChannels: z.number().int().min(1).max(64),
});
export type ChannelSession = z.infer<typeof ChannelSession>;

export const AgentMessage = z.discriminatedUnion('type', [
  /** The first message; the relay answers with `challenge`. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    agentVersion: z.string().max(40),
    platform: z.string().max(80),
    publicKey: Base64Url.length(43),
    /** See AGENT_FEATURES; absent from agents of the first release. */
    features: z.array(z.string().max(40)).max(64).default([]),
  }),
  /** Proof that the agent holds the private key; `token` only when it enrols. */
  z.object({
    type: z.literal('login'),
    signature: Base64Url.length(86),
    token: z.string().max(200).optional(),
    name: z.string().max(200).optional(),
  }),
  /** The answer to `probe` and `wake`. `agent`: only of a relay process that stands in for a frpc. */
  z.object({
    type: z.literal('probe_result'),
    correlation: z.number().int().nonnegative(),
    ok: z.boolean(),
    step: z.enum(['agent', 'dns_lan', 'tcp', 'udp', 'tls', 'http']),
    ms: z.number().int().nonnegative(),
    seen: z.string().max(200),
    /** Of a service that answers by TLS: why today's rules refuse it, such as `old_protocol`. */
    weakness: z.string().max(40).optional(),
  }),
  /** What a scan has found so far. The last report of a scan is of type `end`. */
  z.object({
    type: z.literal('discovery'),
    correlation: z.number().int().nonnegative(),
    report: DiscoveryReport,
  }),
  /** The answer to `diagnose`. */
  z.object({ type: z.literal('diagnosis'), correlation: z.number().int().nonnegative(), report: DiagnosisReport }),
  /**
   * The answer to `measure`: what was sent to this relay since the last answer, and how much of it had to be sent again.
   * Nothing, where the system does not say it.
   */
  z.object({
    type: z.literal('measured'),
    sentBytes: z.number().int().nonnegative(),
    retransmittedBytes: z.number().int().nonnegative(),
    /** What controls the congestion, of one connection; null: unknown. */
    congestionControl: z.string().max(20).nullable(),
    /** The highest rate at which a connection has delivered bytes lately; null: unknown. */
    bytesPerS: z.number().nonnegative().nullable(),
  }),
  /** Replaces the rules of one mapping; null: none. Only of a relay process that stands in for a frpc. */
  z.object({ type: z.literal('http_rules'), mappingId: z.number().int().positive(), rules: HttpRules.nullable() }),
  /** The agent stops on purpose. */
  z.object({ type: z.literal('bye') }),
]);
export type AgentMessage = z.infer<typeof AgentMessage>;

export const RelayMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), protocol: z.number().int(), nonce: Base64Url.length(43) }),
  z.object({
    type: z.literal('welcome'),
    uid: z.string().max(12),
    epoch: z.number().int().positive(),
    heartbeatMs: z.number().int().positive(),
    targets: z.array(AllowedTarget).max(10_000),
    /** All relays that visitors may reach, including this one. The agent connects to each. Absent: only this one. */
    tunnels: z.array(TunnelAddress).max(16).optional(),
    /** Only to agents with the feature `channels`. */
    session: ChannelSession.optional(),
  }),
  /** Open channels until there are `wanted`. The relay closes those that it no longer needs. */
  z.object({
    type: z.literal('channels'),
    wanted: z.number().int().min(1).max(64),
    /** Channels that are to go on over fresh connections, because theirs have lost much. */
    renew: z.array(z.number().int().min(0).max(63)).max(64).optional(),
  }),
  /** The connection ends after this; `retry` false: another try with the same input is pointless. */
  z.object({ type: z.literal('refused'), code: z.string().max(64), retry: z.boolean() }),
  z.object({ type: z.literal('targets'), targets: z.array(AllowedTarget).max(10_000) }),
  z.object({
    type: z.literal('probe'),
    correlation: z.number().int().nonnegative(),
    mappingId: z.number().int().positive(),
    /** http, https, tcp or udp; an agent that does not know it answers `unsupported`. */
    protocol: z.string().max(20),
    host: z.string().max(253),
    port: z.number().int().min(1).max(65_535),
    /** https only: verify the certificate, as streams of kind `tls-verified` do. */
    verifyTls: z.boolean().optional(),
    /** https only: the name for the TLS handshake, as in open requests; older agents ignore it. */
    tlsName: z.string().max(253).optional(),
  }),
  /**
   * Wakes a machine in the agent's own networks (Wake-on-LAN). It names no address to send to: the agent sends to the
   * broadcast addresses of its interfaces. The answer is a `probe_result` of the step `udp`.
   */
  z.object({
    type: z.literal('wake'),
    correlation: z.number().int().nonnegative(),
    mac: z.string().regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/),
  }),
  /**
   * Download this agent from the server, check hash and signature, and start anew with it; only to agents with the feature
   * `upgrade`. The answer is a `probe_result` of the step `http`, sent before the restart.
   */
  z.object({ type: z.literal('upgrade'), correlation: z.number().int().nonnegative(), offer: UpgradeOffer }),
  /** Scan the LAN and report it by `discovery` messages; only to agents with the feature `discovery`. */
  z.object({ type: z.literal('discover'), correlation: z.number().int().nonnegative() }),
  /** Report what you find out about your own connection; only to agents with the feature `diagnose`. */
  z.object({ type: z.literal('diagnose'), correlation: z.number().int().nonnegative() }),
  /** Say how what you have sent fared; only to agents with the feature `measure`, and at most some times a minute. */
  z.object({ type: z.literal('measure') }),
  /** The relay ends this connection. `retryAfterMs` null: the device was deleted, do not reconnect. */
  z.object({
    type: z.literal('bye'),
    code: z.string().max(64),
    retryAfterMs: z.number().int().nonnegative().nullable(),
  }),
]);
export type RelayMessage = z.infer<typeof RelayMessage>;

const relayTypes = new Set<string>(RelayMessage.options.map(({ shape }) => shape.type.value));

/** A message as an agent parses it: a newer relay may send types that the agent does not know. */
export const ReceivedRelayMessage = z.union([
  RelayMessage,
  z
    .object({ type: z.string().refine((type) => !relayTypes.has(type)) })
    .transform(() => ({ type: 'unknown' as const })),
]);
export type ReceivedRelayMessage = z.infer<typeof ReceivedRelayMessage>;

/** The bytes that a login signs. They contain the relay's pin, so that a fake relay cannot forward the signature. */
export function loginProof(nonce: string, relayPin: string): Buffer {
  return Buffer.from(`tongtu login v1\n${nonce}\n${relayPin}`);
}
