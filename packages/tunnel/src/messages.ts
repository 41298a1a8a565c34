/**
 * What agent and relay tell each other on stream 1, each message a u32 big-endian length and that many bytes of JSON.
 * Unknown fields are ignored, and agents ignore messages that they do not know, so that either side may be the newer one.
 */
import { z } from 'zod';

export const MAX_MESSAGE_BYTES = 1 << 20;

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/);

/** One LAN address that the relay may ask the agent to dial. The agent dials nothing else. */
export const AllowedTarget = z.object({
  mappingId: z.number().int().positive(),
  host: z.string().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  /** Relays that know of TCP only do not say. */
  transport: z.enum(['tcp', 'udp']).default('tcp'),
});
export type AllowedTarget = z.infer<typeof AllowedTarget>;

/** Where agents of this device may dial in. An empty host stands for the one that was dialled to get here. */
export const TunnelAddress = z.object({ host: z.string().max(253), port: z.number().int().min(1).max(65_535) });
export type TunnelAddress = z.infer<typeof TunnelAddress>;

/**
 * What agents have learnt since the first one. A relay asks an agent for none of it that its `hello` does not name.
 * `marks-answers`: between bytes that it has passed on to a target and the next ones from there an empty window update is sent.
 */
export const AGENT_FEATURES = ['tcp-probe', 'udp', 'tls-verified', 'marks-answers'] as const;
export type AgentFeature = (typeof AGENT_FEATURES)[number];

export const AgentMessage = z.discriminatedUnion('type', [
  /** The first message; the relay answers with `challenge`. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    agentVersion: z.string().max(40),
    platform: z.string().max(80),
    publicKey: Base64Url.length(43),
    /** See AGENT_FEATURES; agents from before them do not say. */
    features: z.array(z.string().max(40)).max(64).default([]),
  }),
  /** Proof that the agent holds the private key; `token` only when it enrols. */
  z.object({
    type: z.literal('login'),
    signature: Base64Url.length(86),
    token: z.string().max(200).optional(),
    name: z.string().max(200).optional(),
  }),
  z.object({
    type: z.literal('probe_result'),
    correlation: z.number().int().nonnegative(),
    ok: z.boolean(),
    step: z.enum(['dns_lan', 'tcp', 'udp', 'tls', 'http']),
    ms: z.number().int().nonnegative(),
    seen: z.string().max(200),
  }),
  /** The agent is about to stop on purpose. */
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
    /** Every relay that visitors may come to, this one among them: the agent keeps a tunnel to each. Absent: only this one. */
    tunnels: z.array(TunnelAddress).max(16).optional(),
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
    /** https only: as visitors' streams of kind `tls-verified` do. */
    verifyTls: z.boolean().optional(),
  }),
  /** The relay ends this connection. `retryAfterMs` null: the device is gone, do not come back. */
  z.object({
    type: z.literal('bye'),
    code: z.string().max(64),
    retryAfterMs: z.number().int().nonnegative().nullable(),
  }),
]);
export type RelayMessage = z.infer<typeof RelayMessage>;

const relayTypes = new Set<string>(RelayMessage.options.map(({ shape }) => shape.type.value));

/** What an agent hears: a relay may be newer, and say what this one does not know. */
export const HeardMessage = z.union([
  RelayMessage,
  z
    .object({ type: z.string().refine((type) => !relayTypes.has(type)) })
    .transform(() => ({ type: 'unknown' as const })),
]);
export type HeardMessage = z.infer<typeof HeardMessage>;

/** The bytes that a login signs: bound to this relay's certificate, so that a false relay cannot pass them on. */
export function loginProof(nonce: string, relayPin: string): Buffer {
  return Buffer.from(`tongtu login v1\n${nonce}\n${relayPin}`);
}
