import { z } from 'zod';

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
