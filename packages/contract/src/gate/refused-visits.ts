import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_SEARCH_LENGTH } from '../limits.ts';
import { Id, IdDigits, PageQuery, pageOf, Timestamp } from '../shared.ts';

/**
 * Why a visitor was refused: the account is neither owner nor member; it was let in before, and its right has ended; a wrong
 * access password; or a share link that has expired, was revoked or has no uses left.
 */
export const RefusalReason = z.enum(['not_allowed', 'right_ended', 'password_wrong', 'share_ended']);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** The refusals of one visitor at one mapping for one reason within an hour. It outlives the mapping and the device. */
export const RefusedVisit = z.object({
  id: Id,
  mapping: Id,
  mapping_deleted: z.boolean(),
  router: Id,
  router_deleted: z.boolean(),
  router_name: z.string().describe('of a deleted device the last one; empty where there is none on record'),
  host: z.string().describe('the name that the visitor wanted to open'),
  reason: RefusalReason,
  who: z.string().describe('username of the account that was logged in; empty without one'),
  ip: z.string().describe('of the last visit'),
  place: z.string().describe('where the address is, as far as is known; empty otherwise'),
  user_agent: z.string(),
  browser: z.string().describe('browser and system, as far as known'),
  count: z.number().int().describe('how often; visits within seconds count as one, wrong passwords each'),
  first_at: Timestamp,
  last_at: Timestamp,
});
export type RefusedVisit = z.infer<typeof RefusedVisit>;

const RefusedVisitQuery = PageQuery.extend({
  mapping: IdDigits.optional().describe('of this mapping only, which may be deleted'),
  router: IdDigits.optional().describe('of this device only, which may be deleted'),
  search: z.string().max(MAX_SEARCH_LENGTH).optional().describe('part of an address, a domain or a name'),
});

export const refusedVisitEndpoints = {
  'GET /api/user/verifications/refused/': {
    summary: '被拒绝的访问，最近的在前；每条域名映射最多 200 条，保留 90 天',
    query: RefusedVisitQuery,
    response: pageOf(RefusedVisit),
    scope: 'records:read',
    errors: ['session.required', 'mapping.not-found'],
  },
} as const satisfies Endpoints;
