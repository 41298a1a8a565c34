import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import { Id, IdParams, GivenId } from '../shared.ts';

/** Why a device looks like a lost one. */
export const LikenessReason = z.enum(['same-name', 'same-hardware', 'same-address', 'same-network']);
export type LikenessReason = z.infer<typeof LikenessReason>;

export const AdoptionSuggestion = z.object({
  lost: Id.describe('the device that is offline'),
  lost_name: z.string(),
  router: Id.describe('the device that came later and looks like it'),
  router_name: z.string(),
  reasons: z.array(LikenessReason).min(1),
});
export type AdoptionSuggestion = z.infer<typeof AdoptionSuggestion>;

/** What moves from a lost device. */
export const AdoptionPreview = z.object({
  mappings: z.number().int().nonnegative(),
  cloud_apps: z.number().int().nonnegative(),
  members: z.number().int().nonnegative().describe('of its mappings and cloud apps'),
  share_links: z.number().int().nonnegative().describe('that are still valid'),
  allow_list: z.number().int().nonnegative().describe('entries'),
  plan: z.string().nullable().describe('the product of its plan'),
  candidates: z
    .array(
      z.object({
        id: Id,
        name: z.string(),
        online: z.boolean(),
        plan: z.string().nullable(),
        reasons: z.array(LikenessReason),
      }),
    )
    .describe('devices of the same region that may take its place; those that look like it come first'),
});
export type AdoptionPreview = z.infer<typeof AdoptionPreview>;

/** A new device takes the place of one that is lost, for example after its machine was reset. */
export const adoptionEndpoints = {
  'GET /api/user/lost_routers/': {
    summary: '离线设备中，看起来已被新设备代替的',
    response: z.array(AdoptionSuggestion),
    scope: 'devices:read',
    errors: ['session.required'],
  },
  'GET /api/user/routers/{id}/adoption/': {
    summary: '找回设备前：会转移哪些内容，可以转移到哪些设备',
    params: IdParams,
    response: AdoptionPreview,
    scope: 'devices:read',
    errors: ['session.required', 'device.not-found'],
  },
  'POST /api/user/routers/{id}/adoption/': {
    summary: '找回设备：离线设备的内容转移到另一台设备，离线设备随后删除',
    description:
      'Mappings, cloud apps, members, share links, allow-list, name, settings and plan move in one transaction; addresses stay ' +
      'the same. What `router` has already stays. If both devices have a paid plan that is not over, that of the lost ' +
      'device moves, and that of `router` becomes unbound.',
    params: IdParams,
    body: z.strictObject({ router: GivenId.describe('the device that takes its place') }),
    response: Done,
    confirmed: true,
    errors: [
      ...(['session.required', 'session.confirm-required', 'device.not-found', 'device.suspended'] as const),
      ...(['adoption.not-lost', 'adoption.other-region', 'mapping.limit-reached', 'cloud-app.limit-reached'] as const),
      ...(['adoption.managed-by-frpc', 'adoption.no-udp'] as const),
    ],
  },
} as const satisfies Endpoints;
