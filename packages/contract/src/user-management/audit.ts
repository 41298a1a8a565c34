import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_SEARCH_LENGTH } from '../limits.ts';
import { Id, IdDigits, pageOf, PageQuery, Timestamp } from '../shared.ts';

/** What management users do, and what happens to money without them. Nobody can change or delete an entry. */
export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  actor: z.string().describe('username at that time; empty: the service itself'),
  actor_id: Id.nullable(),
  ip: z.string(),
  action: z.string().describe('e.g. `order.refunded`'),
  object_type: z.string(),
  object_id: z.number().int().nullable(),
  object_name: z.string(),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const auditEndpoints = {
  'GET /api/manage/audit/': {
    summary: '审计日志（管理员），新的在前；不能修改',
    query: PageQuery.extend({
      actor: IdDigits.optional(),
      action: z.string().trim().max(MAX_SEARCH_LENGTH).optional().describe('or its beginning, e.g. `order.`'),
      search: z.string().trim().max(MAX_SEARCH_LENGTH).optional().describe('actor or object name'),
    }),
    response: pageOf(AuditEntry),
    role: 'staff',
    errors: ['session.required', 'session.forbidden'],
  },
} as const satisfies Endpoints;
