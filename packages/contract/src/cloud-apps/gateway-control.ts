/**
 * The messages between the server and the gateway process, which speaks the protocols of cloud apps. They go through
 * the main process, which starts the gateway. After a restart the gateway asks again for each session that returns.
 */
import { z } from 'zod';
import { Fingerprint } from './fingerprint.ts';
import { appFailures } from './app-failures.ts';
import { CloudAppOptions, cloudAppKindSchema } from './cloud-apps.ts';

const Correlation = z.number().int().nonnegative();
const SessionId = z.number().int().positive();
const Failure = z.enum(Object.keys(appFailures) as [keyof typeof appFailures]);

/** Everything that the gateway has to know of a session. */
export const GatewaySession = z.object({
  sessionId: SessionId,
  appId: z.number().int().positive(),
  kind: cloudAppKindSchema,
  /** For texts and protocol fields. The relay connects where its own routes say. */
  host: z.string(),
  port: z.number().int(),
  options: CloudAppOptions,
  /** Of those that are absent the gateway asks the user. */
  secrets: z.object({
    password: z.string().optional(),
    privateKey: z.string().optional(),
    passphrase: z.string().optional(),
  }),
  hostKey: z.string().nullable(),
  accountId: z.number().int().positive().describe('who opened the session'),
  ownerId: z.number().int().positive().describe('who owns the device, and so has let the target in'),
  isOwner: z.boolean().describe('the user owns the device'),
  visitorAddress: z.string(),
});
export type GatewaySession = z.infer<typeof GatewaySession>;

export const GatewayToServer = z.discriminatedUnion('type', [
  /** A request with this session's cookie. */
  z.object({ type: z.literal('open'), correlation: Correlation, sessionId: SessionId, token: z.string().max(200) }),
  /** The host key that the user has accepted. Stored unless the app already has one. */
  z.object({ type: z.literal('host_key'), sessionId: SessionId, fingerprint: Fingerprint }),
  /** Bytes since the last message, sent every few seconds. */
  z.object({
    type: z.literal('usage'),
    sessions: z.array(
      z.object({
        sessionId: SessionId,
        bytesIn: z.number().int().nonnegative(),
        bytesOut: z.number().int().nonnegative(),
      }),
    ),
  }),
  /** Its page is closed, and its shell runs on for so long; null: it has a page again. */
  z.object({ type: z.literal('kept'), sessionId: SessionId, seconds: z.number().int().nonnegative().nullable() }),
  z.object({ type: z.literal('ended'), sessionId: SessionId, reason: Failure }),
]);
export type GatewayToServer = z.infer<typeof GatewayToServer>;

export const ServerToGateway = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open_result'),
    correlation: Correlation,
    result: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), session: GatewaySession }),
      /** Unknown, another token, or ended: then with the reason. */
      z.object({ ok: z.literal(false), reason: Failure.nullable() }),
    ]),
  }),
  /** The session must not go on: cut at once. */
  z.object({ type: z.literal('end'), sessionId: SessionId, reason: Failure }),
]);
export type ServerToGateway = z.infer<typeof ServerToGateway>;
