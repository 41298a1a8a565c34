import { z } from 'zod';
import { Done } from '../account/users.ts';
import { PublicRouterInfo } from '../devices/devices.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_ACCESS_HOURS, MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_SHARE_USES } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { withoutHiddenCharacters } from '../messages/hidden-characters.ts';
import { Id, IdParams, personText, Timestamp } from '../shared.ts';

/** A link that lets in anybody who has it, without an account. */
export const ShareLink = z.object({
  id: Id,
  mapping: Id,
  label: z.string(),
  url: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  max_uses: z.number().int().nullable().describe('browsers it may let in; null: any number'),
  uses: z.number().int(),
  revoked_at: Timestamp.nullable(),
});
export type ShareLink = z.infer<typeof ShareLink>;
export const ListedShareLink = ShareLink.extend({
  url: z.string().nullable().describe('null without a confirmation of the last ten minutes'),
});
export type ListedShareLink = z.infer<typeof ListedShareLink>;

export const ShareCreate = z.strictObject({
  label: personText(MAX_NAME_LENGTH).default(''),
  valid_hours: z.number().int().min(1).max(MAX_ACCESS_HOURS),
  max_uses: z.number().int().min(1).max(MAX_SHARE_USES).nullable().default(null),
});

/** Another account that may open a mapping, named by its verified phone number or e-mail address. */
export const Member = z.object({
  id: Id,
  mapping: Id,
  contact: z.string().describe('of an account that asked for access: `@` and its username'),
  created_at: Timestamp,
  joined_at: Timestamp.nullable().describe(
    'when the member accepted an invitation or first opened the address; null until then, whether or not there is an account',
  ),
  expires_at: Timestamp.nullable().describe('null: until removed'),
  account: z.string().describe('username of who accepted the invitation or asked for access; empty where nobody has'),
});
export type Member = z.infer<typeof Member>;
/** Pasted phone numbers often contain invisible characters, so they are removed and not refused. */
const contact = z
  .string()
  .overwrite(withoutHiddenCharacters)
  .min(1, fieldMessage('contact.missing'))
  .max(MAX_EMAIL_LENGTH);
export const MemberCreate = z.strictObject({ contact });

/** An address that the caller may open as a member, with its public state. */
export const Membership = PublicRouterInfo.extend({
  id: Id,
  url: z.string(),
  owner: z.string().describe('username of who shares it'),
  pinned: z.boolean().describe('the caller wants to see it first'),
  created_at: Timestamp.describe('since when the caller is a member'),
});
export type Membership = z.infer<typeof Membership>;

/** 放行程序: within two minutes, the first unverified client passes by its address, for 48 hours. */
export const ClientWindow = z.object({
  state: z.enum(['none', 'open', 'claimed', 'expired']),
  open_until: Timestamp.nullable(),
  ip: z.string().describe('of the client that came first; empty before'),
  expires_at: Timestamp.nullable().describe('until when that client passes'),
  left_today: z.number().int(),
});
export type ClientWindow = z.infer<typeof ClientWindow>;

const own = ['session.required', 'mapping.not-found'] as const;

// Reading the links needs the scope for changes: everybody with a link's URL is let in.

export const sharingEndpoints = {
  'GET /api/user/records/{id}/shares/': {
    summary: '一条域名映射的分享链接',
    params: IdParams,
    response: z.array(ListedShareLink),
    scope: 'access:write',
    errors: own,
  },
  'POST /api/user/records/{id}/shares/': {
    summary: '新建分享链接',
    params: IdParams,
    body: ShareCreate,
    response: ShareLink,
    status: 201,
    scope: 'access:write',
    confirmed: true,
    errors: [...own, 'session.confirm-required', 'share.limit-reached', 'share.daily-limit', 'share.not-possible'],
  },
  'GET /api/user/shares/{id}/': {
    summary: '一个分享链接，包括它的地址',
    params: IdParams,
    response: ShareLink,
    scope: 'access:write',
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'share.not-found'],
  },
  'DELETE /api/user/shares/{id}/': {
    summary: '撤销分享链接，并立即断开由它进入的访客',
    params: IdParams,
    response: Done,
    scope: 'access:write',
    errors: ['session.required', 'share.not-found'],
  },
  'GET /api/user/records/{id}/members/': {
    summary: '可以访问一条域名映射的其他用户',
    params: IdParams,
    response: z.array(Member),
    scope: 'access:write',
    errors: own,
  },
  'POST /api/user/records/{id}/members/': {
    summary: '按手机号或邮箱添加成员',
    params: IdParams,
    body: MemberCreate,
    response: Member,
    status: 201,
    scope: 'access:write',
    confirmed: true,
    errors: [
      ...own,
      'session.confirm-required',
      'member.limit-reached',
      'member.contact-invalid',
      'member.exists',
      'share.not-possible',
    ],
  },
  'DELETE /api/user/members/{id}/': {
    summary: '移除成员，并立即断开其访问',
    params: IdParams,
    response: Done,
    scope: 'access:write',
    errors: ['session.required', 'member.not-found'],
  },
  'GET /api/user/shared_with_me/': {
    summary: '他人共享给我的地址：新的在前，最多 200 个',
    response: z.array(Membership),
    scope: 'devices:read',
    errors: ['session.required'],
  },
  'PATCH /api/user/shared_with_me/{id}/': {
    summary: '置顶他人共享给我的一个地址，或取消置顶',
    params: IdParams,
    body: z.strictObject({ pinned: z.boolean() }),
    response: Done,
    scope: 'devices:write',
    errors: ['session.required', 'member.not-found'],
  },
  // Only the owner could undo this, so API tokens cannot do it.
  'DELETE /api/user/shared_with_me/{id}/': {
    summary: '退出他人的共享，并立即断开自己的访问',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'member.not-found'],
  },
  'GET /api/user/records/{id}/mark_client/': {
    summary: '放行程序的状态',
    params: IdParams,
    response: ClientWindow,
    scope: 'access:write',
    errors: own,
  },
  'POST /api/user/records/{id}/mark_client/': {
    summary: '放行程序：2 分钟内第一个未验证的程序按其 IP 放行 48 小时',
    params: IdParams,
    response: ClientWindow,
    scope: 'access:write',
    confirmed: true,
    errors: [
      ...own,
      'session.confirm-required',
      'gate.verified-ip-limit',
      'verification.limit-reached',
      'gate.window-needless',
    ],
  },
  'DELETE /api/user/records/{id}/mark_client/': {
    summary: '取消放行程序',
    params: IdParams,
    response: ClientWindow,
    scope: 'access:write',
    errors: own,
  },
} as const satisfies Endpoints;
