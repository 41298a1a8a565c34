import { z } from 'zod';
import { MAX_ACCESS_HOURS, MAX_ACCESS_PASSWORD_LENGTH, MAX_SEARCH_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdDigits, PageQuery, Timestamp } from '../shared.ts';

export const VisitedUrl = z.string().max(4096);

export const CheckQuery = z.object({
  url: VisitedUrl,
  share: z.string().max(100).optional().describe('the code of a share link'),
});

/** The access password of a mapping. */
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
  /** The share link has expired, was used up, or was revoked. */
  'share_ended',
  'closed',
  'not_open_yet',
  'outside_hours',
  'plan_expired',
  'over_plan_limit',
  /** End-to-end encrypted: the relay cannot show a check page there, so visitors pass by their address only. */
  'address_only',
]);
export type CheckReason = z.infer<typeof CheckReason>;

/** Whether the caller may open `url`. If so, `redirect` carries a ticket. */
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
 * A verification of a browser (cookie) or an address. Deleting the mapping or the device ends it, but keeps its record.
 */
export const VerificationRecord = z.object({
  id: Id,
  mapping: Id,
  mapping_deleted: z.boolean().describe('it can be extended no more'),
  router: Id,
  router_deleted: z.boolean(),
  router_name: z.string().describe('of a deleted device the last one; empty where there is none on record'),
  kind: z.enum(['cookie', 'ip']),
  /**
   * The grounds of the verification. `own_address`: somebody who may open the mapping allowed their current network.
   */
  granted_by: GrantedBy,
  who: z
    .string()
    .describe('the account, member or share link as its owner knows it; empty for a password or an address'),
  place: z.string().describe('where the address is, as far as is known; empty otherwise'),
  host: z.string().describe('the name that was verified for'),
  port: z.number().int().nullable().describe('the public port of a tcp or udp mapping'),
  ip: z.string(),
  user_agent: z.string(),
  browser: z.string().describe('browser and system, as far as known; empty for an address without a known browser'),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type VerificationRecord = z.infer<typeof VerificationRecord>;

/** A deleted mapping that has records, with its last name and address. */
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

export const RegisterIpQuery = z.strictObject({ url: VisitedUrl.optional() }).default({});
/** Whether the client's address may pass the mapping of `url`, or, without `url`, any mapping of the installation. */
export const RegisteredIp = z.object({ registered: z.boolean(), ip: z.string(), expires_at: Timestamp.nullable() });

/** The client's public address. */
export const CurrentIp = z.object({ ip: z.string() });

/** The mappings for which the client's network is a verified address. */
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
