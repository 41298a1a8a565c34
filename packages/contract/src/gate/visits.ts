import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from '../limits.ts';
import { Id, IdParams, inDigits, Timestamp, Whole } from '../shared.ts';
import { MappingKind, optionSchemas } from '../mappings/mappings.ts';
import { VisitOutcome } from '../visit-record.ts';

/**
 * Why a visitor was let in: the grounds of its verification, or `public` (anybody may come in), `allow_list` (the
 * device's), `none` (it was not let in) or `unknown` (the verification has been deleted).
 */
export const VisitWho = z.enum([
  ...(['owner', 'member', 'share', 'password', 'mark_client', 'own_address'] as const),
  ...(['allow_list', 'public', 'none', 'unknown'] as const),
]);
export type VisitWho = z.infer<typeof VisitWho>;

/** Statuses by their first digit, and outcomes. */
export const VisitResult = z.enum(['2xx', '3xx', '4xx', '5xx', 'denied', 'failed', 'aborted']);
export type VisitResult = z.infer<typeof VisitResult>;

export const Visit = z.object({
  id: Id.describe('in the order of the ends of visits'),
  at: Timestamp.describe('the begin'),
  ms: z.number().int().describe('from the begin to the end'),
  ip: z.string(),
  place: z.string().describe('where the address is, as far as is known; empty otherwise'),
  who: VisitWho,
  who_name: z.string().describe('of the account or share link, or `user` of a frpc that visits; empty without one'),
  outcome: VisitOutcome,
  reason: z.string().describe('a word for why it was denied or failed; otherwise empty'),
  method: z.string().describe('of HTTP, or TLS, TCP or UDP'),
  path: z.string().describe('without the query, at most 1024 characters; empty for TLS, TCP and UDP'),
  status: z.number().int().nullable().describe('that the visitor got; null: none'),
  bytes_in: z.number().int().describe('from the visitor to the LAN service'),
  bytes_out: z.number().int().describe('from the LAN service to the visitor'),
  browser: z.string().describe('browser and system, as far as known'),
  user_agent: z.string(),
});
export type Visit = z.infer<typeof Visit>;

const filters = {
  who: VisitWho.optional(),
  result: VisitResult.optional(),
  method: z
    .string()
    .regex(/^[A-Z-]{1,20}$/)
    .optional(),
  search: z
    .string()
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe('part of an address, a place, a name, a path or a User-Agent'),
};
const Cursor = inDigits(Whole.min(0).max(Number.MAX_SAFE_INTEGER));

const VisitList = z.object({
  mapping: z.object({ id: Id, kind: MappingKind, domain: z.string(), remark: z.string() }),
  visit_log_days: optionSchemas.visitLogDays,
  results: z.array(Visit).describe('the latest first'),
  has_more: z.boolean().describe('older ones match as well'),
  unrecorded: z
    .object({ denied: z.number().int(), others: z.number().int() })
    .describe('visits of these days that were counted and not recorded, because there were too many'),
});
export type VisitList = z.infer<typeof VisitList>;

const refused = ['session.required', 'mapping.not-found'] as const;

export const visitEndpoints = {
  'GET /api/user/records/{id}/visits/': {
    summary: '域名映射的访问日志，最近的在前；最多保留 50000 条',
    params: IdParams,
    query: z.object({
      ...filters,
      limit: inDigits(Whole.min(1).max(MAX_PAGE_SIZE).default(50)),
      before: Cursor.optional().describe('only visits with a smaller id'),
      after: Cursor.optional().describe('only visits with a greater id'),
    }),
    response: VisitList,
    scope: 'records:read',
    errors: refused,
  },
  'GET /api/user/records/{id}/visits/export/': {
    summary: '导出访问日志（CSV）：筛选条件与列表相同',
    description: 'UTF-8 with a byte order mark, CRLF, RFC 4180.',
    params: IdParams,
    query: z.object(filters),
    response: z.string(),
    csv: true,
    scope: 'records:read',
    errors: refused,
  },
  'DELETE /api/user/records/{id}/visits/': {
    summary: '清空访问日志',
    params: IdParams,
    response: z.object({ deleted: z.number().int() }),
    scope: 'records:write',
    confirmed: true,
    errors: [...refused, 'session.confirm-required'],
  },
} as const satisfies Endpoints;
