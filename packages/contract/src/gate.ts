import { z } from 'zod';
import { Id, PageQuery, Timestamp } from './shared.ts';

export const CheckQuery = z.object({ url: z.string().max(4096) });

export const CheckReason = z.enum([
  'ok',
  'login_required',
  'not_allowed',
  'no_such_mapping',
  'mapping_disabled',
  'device_disabled',
  'device_offline',
  'public',
  /** End-to-end encrypted: no page of ours can verify a browser there, so its owner lets addresses pass instead. */
  'address_only',
]);
export type CheckReason = z.infer<typeof CheckReason>;

/** May the caller open `url`? `redirect` carries the one-time ticket when the answer is yes. */
export const CheckReply = z.object({
  logged_in: z.boolean(),
  allowed: z.boolean(),
  reason: CheckReason,
  url: z.string(),
  domain: z.string(),
  device: z.object({ id: z.number().int(), name: z.string() }).optional(),
  redirect: z.string().optional(),
});
export type CheckReply = z.infer<typeof CheckReply>;

/** A visitor's proof: a browser that holds the cookie, or an address that may pass without one. */
export const VerificationRecord = z.object({
  id: Id,
  mapping: Id,
  kind: z.enum(['cookie', 'ip']),
  host: z.string().describe('the name that was verified for'),
  port: z.number().int().nullable().describe('the public port of a tcp or udp mapping'),
  ip: z.string(),
  user_agent: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type VerificationRecord = z.infer<typeof VerificationRecord>;

export const VerificationQuery = PageQuery.extend({
  mapping: z.coerce.number().int().positive().max(2_147_483_647).optional().describe('of this mapping only'),
});

/** The public address that the caller's own network shows. */
export const CurrentIp = z.object({ ip: z.string() });
