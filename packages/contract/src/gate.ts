import { z } from 'zod';
import { fieldMessage } from './field-messages.ts';
import { MAX_ACCESS_HOURS, MAX_ACCESS_PASSWORD_LENGTH, MAX_SEARCH_LENGTH } from './limits.ts';
import { Id, IdDigits, PageQuery, Timestamp } from './shared.ts';

export const VisitedUrl = z.string().max(4096);

export const CheckQuery = z.object({
  url: VisitedUrl,
  share: z.string().max(100).optional().describe('the code of a share link'),
});

/** The shared password of a mapping. */
export const CheckPassword = z.strictObject({
  url: VisitedUrl,
  password: z.string().min(1, fieldMessage('access-password.empty')).max(MAX_ACCESS_PASSWORD_LENGTH),
  ticket: z.string().max(200).optional().describe('of a solved captcha, after three failures'),
});

export const CheckReason = z.enum([
  'ok',
  'login_required',
  'not_allowed',
  'no_such_mapping',
  'mapping_disabled',
  'device_disabled',
  'device_offline',
  'public',
  'password_required',
  /** The share link has ended: its time, its number of uses, or its owner did it. */
  'share_ended',
  'closed',
  'not_open_yet',
  'outside_hours',
  'plan_expired',
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
  request: z
    .enum(['pending', 'refused'])
    .optional()
    .describe('with not_allowed: how the request of this account for access stands'),
});
export type CheckReply = z.infer<typeof CheckReply>;

const GrantedBy = z.enum(['owner', 'member', 'password', 'share', 'mark_client', 'own_address']);
export type GrantedBy = z.infer<typeof GrantedBy>;

/**
 * A visitor's proof: a browser that holds the cookie, or an address that may pass without one. Its record outlives the
 * mapping and the device, which end it when they are deleted.
 */
export const VerificationRecord = z.object({
  id: Id,
  mapping: Id,
  mapping_deleted: z.boolean().describe('it can be extended no more'),
  router: Id,
  router_deleted: z.boolean(),
  router_name: z.string().describe('of a deleted device the last one; empty where there is none on record'),
  kind: z.enum(['cookie', 'ip']),
  /** On what grounds: as the owner, a member, by password, by a share link, as a marked client, or an address the owner let pass. */
  granted_by: GrantedBy,
  who: z
    .string()
    .describe('the account, member or share link as its owner knows it; empty for a password or an address'),
  place: z.string().describe('where the address is, as far as is known; empty otherwise'),
  host: z.string().describe('the name that was verified for'),
  port: z.number().int().nullable().describe('the public port of a tcp or udp mapping'),
  ip: z.string(),
  user_agent: z.string(),
  browser: z
    .string()
    .describe('browser and system, as far as they tell; empty for an address that no browser is known of'),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type VerificationRecord = z.infer<typeof VerificationRecord>;

/** A mapping that was deleted and that there are records of, as it was. */
export const DeletedMapping = z.object({
  id: Id,
  kind: z.enum(['http', 'https', 'tcp', 'udp']),
  domain: z.string(),
  port: z.number().int().nullable(),
  router: Id,
  router_deleted: z.boolean(),
  router_name: z.string().describe('of a deleted device the last one'),
  deleted_at: Timestamp,
});
export type DeletedMapping = z.infer<typeof DeletedMapping>;
export const DeletedMappings = z.array(DeletedMapping);

export const VerificationQuery = PageQuery.extend({
  mapping: IdDigits.optional().describe('of this mapping only, which may be deleted'),
  router: IdDigits.optional().describe('of this device only, which may be deleted'),
  state: z.enum(['active', 'expired', 'revoked']).optional(),
  granted_by: GrantedBy.optional(),
  search: z.string().max(MAX_SEARCH_LENGTH).optional().describe('part of an address, a domain or a name'),
});

export const VerificationPatch = z.strictObject({
  extend_hours: z.number().int().min(1).max(MAX_ACCESS_HOURS).describe('counted from now; only ever makes it longer'),
});

export const RegisterIpQuery = z.strictObject({ url: VisitedUrl.optional() });
/** Whether the caller passes: the address of `url`, or any of the installation's without one. */
export const RegisteredIp = z.object({ registered: z.boolean(), ip: z.string(), expires_at: Timestamp.nullable() });

/** The public address that the caller's own network shows. */
export const CurrentIp = z.object({ ip: z.string() });

/** Which mappings the caller's own network passes as a verified address. */
export const CurrentNetwork = z.object({
  ip: z.string(),
  allowed: z.array(
    z.object({
      mapping: Id,
      verification: Id.describe('ended by `DELETE /api/user/verifications/{id}/`'),
      expires_at: Timestamp,
    }),
  ),
});
export type CurrentNetwork = z.infer<typeof CurrentNetwork>;
