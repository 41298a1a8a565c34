import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, pageOf, PageQuery, Timestamp, GivenId } from '../shared.ts';

/** Days after joining within which an account may enter who invited it. */
export const BIND_INVITATION_DAYS = 7;

/** `joined`: the invited account has verified itself and its first device is online; `paid`: its first payment. */
export const RewardEvent = z.enum(['joined', 'paid']);
/** pending → claimable → claimed; void after a refund or where the checks against abuse found something. */
export const RewardStatus = z.enum(['pending', 'claimable', 'claimed', 'void']);

export const InvitationReward = z.object({
  id: Id,
  event: RewardEvent,
  status: RewardStatus,
  invitee: z.string().describe('masked user name'),
  days: z.number().int().describe('what it is worth'),
  created_at: Timestamp,
  claimable_at: Timestamp.nullable().describe('when it will be, or was'),
  claimed_at: Timestamp.nullable(),
  claimed_as: z.enum(['days', 'key']).nullable(),
  void_reason: z.enum(['refunded', 'same-person', 'monthly-cap']).nullable(),
});
export type InvitationReward = z.infer<typeof InvitationReward>;

/** An account that the caller invited. */
export const Invitee = z.object({
  username: z.string().describe('masked'),
  joined_at: Timestamp,
  has_been_online: z.boolean().describe('whether a device of it was ever online'),
  has_paid: z.boolean(),
});
export type Invitee = z.infer<typeof Invitee>;

export const InvitationAff = z.object({
  code: z.string(),
  link: z.string(),
  invited_by: z.string().describe('masked user name of who invited the caller; empty: nobody'),
  can_bind_until: Timestamp.nullable().describe('until when the caller may enter a code; null: no more'),
  invited_count: z.number().int(),
  online_count: z.number().int().describe('of those, with a device that was online'),
  paid_count: z.number().int(),
  invitees: z.array(Invitee).describe('the newest 50'),
  pending_days: z.number().int(),
  claimable_days: z.number().int(),
  claimed_days: z.number().int(),
  days_per_event: z.object({ joined: z.number().int(), paid: z.number().int() }),
  monthly_cap: z.number().int().describe('rewards in one month'),
});
export type InvitationAff = z.infer<typeof InvitationAff>;

const deviceRule = { path: ['router'], message: fieldMessage('reward-device.missing') };

export const invitationRewardEndpoints = {
  'GET /api/marketing/invitation_aff/': {
    summary: '我的邀请码、链接和数量',
    response: InvitationAff,
    billing: true,
    errors: ['session.required'],
  },
  'GET /api/marketing/invitation_rewards/': {
    summary: '我的邀请奖励，新的在前',
    query: PageQuery,
    response: pageOf(InvitationReward),
    billing: true,
    errors: ['session.required'],
  },
  'POST /api/marketing/invitation_rewards/': {
    summary: '领取一个奖励：给一台设备加天数，或换成兑换码',
    body: z
      .strictObject({
        id: GivenId,
        as: z.enum(['days', 'key']),
        router: GivenId.optional().describe('for `days`: a device with a plan that is not free'),
      })
      .refine(({ as, router }) => as !== 'days' || router !== undefined, deviceRule)
      .describe('`days` needs a `router`.'),
    response: z.object({ reward: InvitationReward, key: z.string().nullable() }),
    status: 201,
    billing: true,
    errors: [
      'session.required',
      'reward.not-found',
      'reward.not-claimable',
      'device.not-found',
      'reward.no-plan',
      'reward.no-product',
      'plan.too-far-ahead',
    ],
  },
  'POST /api/marketing/bind_invitation/': {
    summary: '填写邀请码：注册 7 天内、付款之前，一次',
    body: z.strictObject({ code: z.string().trim().min(1, fieldMessage('invitation-code.missing')).max(32) }),
    response: InvitationAff,
    billing: true,
    errors: [
      'session.required',
      'invitation-code.unknown',
      'invitation-code.own',
      'invitation-code.joined-later',
      'invitation-code.bound',
      'invitation-code.too-late',
    ],
  },
} as const satisfies Endpoints;
