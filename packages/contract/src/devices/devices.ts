import { z } from 'zod';
import type { FieldScopes } from '../endpoint.ts';
import { MAX_ALLOW_LIST_ENTRIES, MAX_HOST_LENGTH, MAX_NAME_LENGTH } from '../limits.ts';
import { Mapping, MappingHours } from '../mappings/mappings.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, personName, personText, Timestamp, GivenId } from '../shared.ts';
import { offlineReasonTexts } from './offline-reasons.ts';

export const DeviceState = z.enum(['online', 'offline', 'never_connected', 'disabled', 'plan_expired']);
export type DeviceState = z.infer<typeof DeviceState>;

const offlineReasons = Object.keys(offlineReasonTexts) as (keyof typeof offlineReasonTexts)[]; // the keys of the table
export const OfflineReason = z.enum(offlineReasons);
export type OfflineReason = z.infer<typeof OfflineReason>;

/** What a device may use. Without a valid plan its visitors are refused, and nothing of it is deleted. */
export const DevicePlan = z.object({
  id: Id.describe('of the order that made it'),
  name: z.string(),
  is_free: z.boolean(),
  ends_at: Timestamp,
  is_expired: z.boolean(),
  app_kinds: z.array(z.string()),
});

export const Device = z.object({
  id: Id,
  uid: z.string().regex(/^[0-9a-f]{12}$/),
  name: z.string(),
  pinned: z.boolean(),
  group: z.string().describe('a word of its owner for several devices; empty: none'),
  online: z.boolean(),
  state: DeviceState,
  state_since: Timestamp.nullable(),
  suspended: z.boolean().describe('staff have switched it off: `disabled`, and its owner cannot enable it'),
  offline_reason: OfflineReason.nullable(),
  public_ip: z.string(),
  relays: z
    .object({ connected: z.number().int().nonnegative(), running: z.number().int().nonnegative() })
    .describe('a visitor reaches any running relay; at a relay without the device the mapping is offline'),
  lossy_line: z
    .object({ loss_percent: z.number(), rtt_ms: z.number().int() })
    .nullable()
    .describe('the line to its relays loses packets, over some minutes with traffic; null: not that anybody knows'),
  agent_version: z.string(),
  agent_upgrade: z
    .string()
    .nullable()
    .describe('the version of the agent that the server hands out, if it is newer than `agent_version`'),
  platform: z.string(),
  program: z
    .enum(['agent', 'frpc', 'frpc-toml'])
    .describe(
      'frpc: no UDP mappings, no scan of the LAN, no half-closed connections, one relay; frpc-toml: a frpc whose own ' +
        'configuration manages the mappings',
    ),
  server: z.object({ id: Id, name: z.string(), suffix: z.string() }),
  allow_list: z
    .array(z.string())
    .describe('addresses and CIDR ranges whose visitors pass on every mapping without verification'),
  bandwidth_bps: z.number().int().positive().nullable().describe('bit/s of each direction; null: no limit'),
  mapping_limit: z.number().int().positive().describe('how many mappings the device may have'),
  alerts_enabled: z.boolean().describe('whether its owner is alerted when it goes offline and comes back'),
  mappings: z.array(Mapping),
  plan: DevicePlan.nullable().describe('its plan, also an expired one; null: none, or billing is off'),
  created_at: Timestamp,
});
export type Device = z.infer<typeof Device>;

export const DeviceGroup = personText(MAX_NAME_LENGTH).describe('without invisible characters; empty: none');

export const DevicePatch = z.strictObject({
  name: personName(MAX_NAME_LENGTH, 'device-name.missing').optional(),
  pinned: z.boolean().optional(),
  group: DeviceGroup.optional(),
  enabled: z.boolean().optional(),
  alerts_enabled: z.boolean().optional(),
  allow_list: z
    .array(z.string().trim().max(64, fieldMessage('allow-list.entry')))
    .max(MAX_ALLOW_LIST_ENTRIES, fieldMessage('allow-list.too-many'))
    .optional()
    .describe('replaces the whole list; an invalid entry is named by its index, e.g. `allow_list.2`'),
  plan_ids_to_add: z.array(GivenId).max(1).optional().describe('plan to bind; it leaves its former device'),
  plan_ids_to_remove: z.array(GivenId).max(1).optional().describe('plan to unbind'),
});
export type DevicePatch = z.infer<typeof DevicePatch>;

/** The allow-list decides who may visit, so it needs the scope for access as well. */
export const deviceFieldScopes = {
  allow_list: { scope: 'access:write' },
} as const satisfies FieldScopes<keyof DevicePatch>;

/** What the public may see of an address: no name, owner or IP. */
export const PublicRouterInfo = z.object({
  domain: z.string(),
  state: z
    .enum([
      'online',
      'offline',
      'never_connected',
      'disabled',
      'plan_expired',
      'over_plan_limit',
      'mapping_disabled',
      'unknown',
      'closed',
      'not_open_yet',
      'outside_hours',
    ])
    .describe('closed: since `closes_at`, or by its owner where that is null'),
  since: Timestamp.nullable(),
  offline_reason: OfflineReason.nullable(),
  opens_at: Timestamp.nullable().describe('with not_open_yet'),
  closes_at: Timestamp.nullable().describe('with closed'),
  hours: MappingHours.nullable().describe('with outside_hours'),
});
export type PublicRouterInfo = z.infer<typeof PublicRouterInfo>;

export const DomainQuery = z.object({ domain: z.string().trim().toLowerCase().min(1).max(MAX_HOST_LENGTH) });

export const RouterInfoQuery = z
  .object({
    uid: z.string().max(12).optional(),
    domain: z.string().trim().toLowerCase().max(MAX_HOST_LENGTH).optional(),
  })
  .refine(
    (query) => (query.uid === undefined) !== (query.domain === undefined),
    fieldMessage('router-info.uid-or-domain'),
  )
  .describe('Exactly one of `uid` and `domain`.');
