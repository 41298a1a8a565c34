import { z } from 'zod';
import { Done, Username } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_SEARCH_LENGTH } from '../limits.ts';
import { Id, IdParams, pageOf, PageQuery, Timestamp } from '../shared.ts';
import { InvitationLife, LinkMade } from './invitation-links.ts';

/** An account as staff sees it. */
export const ManagedUser = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  phone_number: z.string(),
  has_wechat: z.boolean(),
  has_password: z.boolean().describe('false: the account was created and nobody has chosen a password yet'),
  second_factor: z.boolean(),
  is_staff: z.boolean(),
  is_promoter: z.boolean(),
  is_superuser: z.boolean(),
  device_count: z.number().int(),
  mapping_count: z.number().int(),
  created_at: Timestamp,
  last_seen_at: Timestamp.nullable().describe('in the console; null: never'),
  disabled_at: Timestamp.nullable(),
  deletion_at: Timestamp.nullable(),
});
export type ManagedUser = z.infer<typeof ManagedUser>;

export const ManagedUserQuery = PageQuery.extend({
  search: z
    .string()
    .trim()
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe('part of the user name, email address or phone number, in any case of letters'),
});

export const ManagedUserCreate = z.strictObject({ username: Username, valid_hours: InvitationLife });
export type ManagedUserCreate = z.infer<typeof ManagedUserCreate>;

/** A flag that is absent does not change. */
export const ManagedUserPatch = z.strictObject({
  is_staff: z.boolean().optional(),
  is_promoter: z.boolean().optional(),
  is_superuser: z.boolean().optional(),
});
export type ManagedUserPatch = z.infer<typeof ManagedUserPatch>;

const refused = ['session.required', 'session.forbidden'] as const;
const confirmed = [...refused, 'session.confirm-required'] as const;
const onOther = [...confirmed, 'user.not-found', 'user.superuser', 'user.self'] as const;

/** For staff. Only a superuser may change a superuser's account. */
export const managedUserEndpoints = {
  'GET /api/manage/users/': {
    summary: '全部用户（管理员），按编号排列',
    query: ManagedUserQuery,
    response: pageOf(ManagedUser),
    role: 'staff',
    errors: refused,
  },
  'POST /api/manage/users/': {
    summary: '新建账号（管理员）：本人用返回的一次性链接设置密码',
    body: ManagedUserCreate,
    response: z.object({ user: ManagedUser, link: LinkMade }),
    status: 201,
    role: 'staff',
    confirmed: true,
    errors: [...confirmed, 'user.name-taken', 'user.name-look-alike', 'user.name-reserved', 'invitation.daily-limit'],
  },
  'PATCH /api/manage/users/{id}/': {
    summary: '设置用户的管理权限（超级管理员）：得到新权限的用户须重新登录',
    params: IdParams,
    body: ManagedUserPatch,
    response: ManagedUser,
    role: 'superuser',
    confirmed: true,
    errors: [...confirmed, 'user.not-found', 'user.last-superuser'],
  },
  'POST /api/manage/users/{id}/password_link/': {
    summary: '重设密码的一次性链接（管理员）：使用后，该账号的其他登录和 API 令牌全部失效',
    params: IdParams,
    body: z.strictObject({ valid_hours: InvitationLife }),
    response: LinkMade,
    status: 201,
    role: 'staff',
    confirmed: true,
    errors: [...onOther, 'user.disabled', 'invitation.daily-limit'],
  },
  'POST /api/manage/users/{id}/disabled/': {
    summary: '停用账号（管理员）：立即退出所有登录，断开其设备和访客',
    params: IdParams,
    response: ManagedUser,
    role: 'staff',
    confirmed: true,
    errors: [...onOther, 'user.last-superuser'],
  },
  'DELETE /api/manage/users/{id}/disabled/': {
    summary: '启用账号（管理员）',
    params: IdParams,
    response: ManagedUser,
    role: 'staff',
    confirmed: true,
    errors: onOther,
  },
  'DELETE /api/manage/users/{id}/': {
    summary: '立即删除账号及其全部设备、映射和记录（管理员），不能撤销',
    params: IdParams,
    response: Done,
    role: 'staff',
    confirmed: true,
    errors: [...onOther, 'user.last-superuser'],
  },
} as const satisfies Endpoints;
