import { z } from 'zod';
import { apiScopes, type Endpoints } from '../endpoint.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { EmailAddress, Id, IdParams, OneTimeCode, personName, Timestamp } from '../shared.ts';
import { Passkey } from './second-factor.ts';
import { Done, Profile } from './users.ts';

/** The settings that the account page shows beside the profile. */
export const Security = z.object({
  has_password: z.boolean(),
  wechat: z.object({ nickname: z.string(), bound_at: Timestamp }).nullable(),
  totp: z.boolean(),
  passkeys: z.array(Passkey),
  recovery_codes_left: z.number().int(),
  previous_token_until: Timestamp.nullable().describe('until then the account token before this one still enrols'),
  deletion_at: Timestamp.nullable().describe('when the account will be deleted, as its owner has asked'),
});
export type Security = z.infer<typeof Security>;

/** Changes that need a proof (a code, a WeChat login, a confirmation). Each call makes one of them. */
export const ProofProfilePatch = z
  .union([
    z.strictObject({ email: EmailAddress, code: OneTimeCode }),
    z.strictObject({ wechat: z.strictObject({ code: z.string().max(200), state: z.string().max(200) }).nullable() }),
    z.strictObject({ rotate_token: z.literal(true) }),
    z.strictObject({ two_step: z.literal(false) }),
  ])
  .describe('Exactly one of these.');

export const LoginSession = z.object({
  id: Id,
  device: z.string().describe('browser and system, as far as known'),
  ip: z.string(),
  place: z.string().describe('empty when unknown'),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  is_current: z.boolean(),
});
export type LoginSession = z.infer<typeof LoginSession>;

const ApiScope = z.enum(apiScopes);
export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  hint: z.string().describe('the first letters of the token'),
  scopes: z.array(ApiScope),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;
export const ApiTokenCreate = z.strictObject({
  name: personName(MAX_NAME_LENGTH, 'name.missing'),
  scopes: z.array(ApiScope).min(1, fieldMessage('scopes.none')).max(apiScopes.length),
  valid_days: z.number().int().min(1).max(365).nullable().describe('null: until it is deleted'),
});

export const accountEndpoints = {
  'GET /api/user/security/': { summary: '账号安全状态', response: Security, errors: ['session.required'] },
  'PATCH /custom/profile/': {
    summary: '修改需要验证的资料：邮箱、微信绑定、账号令牌、两步登录',
    body: ProofProfilePatch,
    response: Profile,
    confirmed: true,
    errors: [
      'session.required',
      'session.confirm-required',
      'code.wrong',
      'code.expired',
      'user.email-taken',
      'wechat.code-invalid',
      'wechat.taken',
      'user.last-way-in',
    ],
  },
  'GET /api/user/sessions/': {
    summary: '已登录的浏览器',
    response: z.array(LoginSession),
    errors: ['session.required'],
  },
  'DELETE /api/user/sessions/': { summary: '退出其他全部登录', response: Done, errors: ['session.required'] },
  'DELETE /api/user/sessions/{id}/': {
    summary: '退出一处登录',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'session.not-found'],
  },
  'GET /api/user/api_tokens/': { summary: 'API 令牌', response: z.array(ApiToken), errors: ['session.required'] },
  'POST /api/user/api_tokens/': {
    summary: '新建 API 令牌，它只显示这一次',
    body: ApiTokenCreate,
    response: z.object({ api_token: ApiToken, token: z.string() }),
    status: 201,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'api-token.limit-reached'],
  },
  'DELETE /api/user/api_tokens/{id}/': {
    summary: '删除 API 令牌，立即失效',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'api-token.not-found'],
  },
  'DELETE /api/user/previous_token/': {
    summary: '立即停用旧的账号令牌',
    response: Security,
    errors: ['session.required'],
  },
  'GET /api/user/export/': {
    summary: '导出自己的全部数据',
    response: z.record(z.string(), z.unknown()),
    confirmed: true,
    errors: ['session.required', 'session.confirm-required'],
  },
  'POST /api/user/deletion/': {
    summary: '7 天后删除账号',
    response: Security,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'user.last-admin'],
  },
  'DELETE /api/user/deletion/': { summary: '撤销删除账号', response: Security, errors: ['session.required'] },
} as const satisfies Endpoints;
