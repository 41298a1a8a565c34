import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { MAX_SEARCH_LENGTH } from './limits.ts';
import { Id, IdParams, pageOf, PageQuery, Timestamp } from './shared.ts';

/** What a superuser sees of an account. */
export const ManagedUser = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  phone_number: z.string(),
  is_staff: z.boolean(),
  is_promoter: z.boolean(),
  is_superuser: z.boolean(),
  created_at: Timestamp,
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

/** A flag that is absent stays as it is. */
export const ManagedUserPatch = z.strictObject({
  is_staff: z.boolean().optional(),
  is_promoter: z.boolean().optional(),
  is_superuser: z.boolean().optional(),
});
export type ManagedUserPatch = z.infer<typeof ManagedUserPatch>;

const superuserOnly = ['session.required', 'session.forbidden'] as const;

export const managedUserEndpoints = {
  'GET /api/manage/users/': {
    summary: '全部用户（超级管理员），按编号排列',
    query: ManagedUserQuery,
    response: pageOf(ManagedUser),
    role: 'superuser',
    errors: superuserOnly,
  },
  'PATCH /api/manage/users/{id}/': {
    summary: '设置用户的管理权限（超级管理员）：得到新权限的用户须重新登录',
    params: IdParams,
    body: ManagedUserPatch,
    response: ManagedUser,
    role: 'superuser',
    confirmed: true,
    errors: [...superuserOnly, 'session.confirm-required', 'user.not-found', 'user.last-superuser'],
  },
} as const satisfies Endpoints;
