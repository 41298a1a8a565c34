import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_ACCESS_HOURS, MAX_REMARK_LENGTH } from '../limits.ts';
import { Id, IdParams, personText, Timestamp } from '../shared.ts';
import { VisitedUrl } from './gate.ts';

/** 申请访问: an account asks the owner of an address to let it in. */
export const AccessRequestCreate = z.strictObject({
  url: VisitedUrl,
  message: personText(MAX_REMARK_LENGTH).default('').describe('for the owner'),
});

/** A request that the owner has not answered yet. */
export const AccessRequest = z.object({
  id: Id,
  mapping: Id,
  router: Id,
  domain: z.string(),
  account: z.string().describe('username of the account that asks'),
  message: z.string(),
  created_at: Timestamp,
});
export type AccessRequest = z.infer<typeof AccessRequest>;

export const AccessRequestAllow = z.strictObject({
  valid_hours: z.number().int().min(1).max(MAX_ACCESS_HOURS).nullable().describe('null: until the member is removed'),
});

const own = ['session.required', 'access-request.not-found'] as const;

export const accessRequestEndpoints = {
  // The reply is the same for an address that does not exist, so that nobody can search for addresses with this call.
  'POST /custom/check/request/': {
    summary: '申请访问一个地址',
    body: AccessRequestCreate,
    response: Done,
    errors: ['session.required', 'access-request.daily-limit', 'access-request.refused'],
  },
  'GET /api/user/access_requests/': {
    summary: '等待我同意的访问申请，最近的在前',
    response: z.array(AccessRequest),
    scope: 'access:write',
    errors: ['session.required'],
  },
  'POST /api/user/access_requests/{id}/allow/': {
    summary: '同意访问申请：对方成为成员',
    params: IdParams,
    body: AccessRequestAllow,
    response: Done,
    scope: 'access:write',
    confirmed: true,
    errors: [...own, 'session.confirm-required', 'member.limit-reached', 'share.not-possible'],
  },
  'DELETE /api/user/access_requests/{id}/': {
    summary: '拒绝访问申请：对方 7 天内不能再次申请',
    params: IdParams,
    response: Done,
    scope: 'access:write',
    errors: own,
  },
} as const satisfies Endpoints;
