import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_REMARK_LENGTH, MAX_SEARCH_LENGTH } from '../limits.ts';
import { Id, IdDigits, IdParams, pageOf, PageQuery, personName, Timestamp } from '../shared.ts';
import { Order, OrderKind, OrderStatus, PaymentProviderId } from './orders.ts';
import { Fen, MAX_FEN } from './products.ts';

/** A search counts no more orders than this. */
export const MAX_FOUND_ORDERS = 10_000;

/** requested → pending → done; failed ones are tried again. */
export const RefundStatus = z.enum(['requested', 'pending', 'done', 'failed']);
export const Refund = z.object({
  id: Id,
  amount_fen: Fen,
  reason: z.string(),
  status: RefundStatus,
  made_by: z.string().describe('username; empty: automatic'),
  problem: z.string().optional().describe('why the last try failed; absent: it did not'),
  created_at: Timestamp,
  done_at: Timestamp.nullable(),
});
export const Payment = z.object({
  id: Id,
  provider: PaymentProviderId,
  number: z.string(),
  status: z.enum(['waiting', 'paid', 'closed']),
  amount_fen: Fen,
  transaction_id: z.string().nullable().describe('number of the provider'),
  paid_at: Timestamp.nullable(),
  refunds: z.array(Refund),
});
export const ManagedOrder = Order.extend({
  user: z.object({ id: Id, username: z.string() }).nullable().describe('null: the account was deleted'),
  payments: z.array(Payment),
});
export type ManagedOrder = z.infer<typeof ManagedOrder>;

export const LedgerAccount = z.object({ account: z.string(), balance_fen: z.number().int() });
export const LedgerCheck = z.object({
  balanced: z.boolean(),
  accounts: z.array(LedgerAccount),
  problems: z.array(z.string()).describe('Chinese: what does not fit together'),
  checked_at: Timestamp,
});

/** The repeated jobs that the servers share; staff see them. */
export const sharedJobNames = [
  'ask about payments',
  'close unpaid orders',
  'send refunds',
  'compare bills',
  'check the ledger',
  'remind of plans',
  'add up statistics',
  'observe devices',
  'expire product keys',
  'find invitation rewards',
] as const;
export type SharedJobName = (typeof sharedJobNames)[number];

export const ManagedJob = z.object({
  name: z.string(),
  every_seconds: z.number().int(),
  next_run_at: Timestamp,
  last_started_at: Timestamp.nullable(),
  last_finished_at: Timestamp.nullable(),
  last_error: z.string().nullable(),
  is_running: z.boolean(),
});

const refused = ['session.required', 'session.forbidden'] as const;

export const billingManagementEndpoints = {
  'GET /api/manage/orders/': {
    summary: '全部订单（管理员），新的在前',
    description: `A search counts at most ${MAX_FOUND_ORDERS} orders.`,
    query: PageQuery.extend({
      status: OrderStatus.optional(),
      kind: OrderKind.optional(),
      user: IdDigits.optional(),
      search: z
        .string()
        .trim()
        .max(MAX_SEARCH_LENGTH)
        .optional()
        .describe('order, payment or transaction number, or user name'),
    }),
    response: pageOf(ManagedOrder),
    role: 'staff',
    billing: true,
    errors: refused,
  },
  'POST /api/manage/orders/{id}/refund/': {
    summary: '退款（管理员）：全额退款收回套餐，部分退款不影响',
    params: IdParams,
    body: z.strictObject({
      amount_fen: z.number().int().min(1).max(MAX_FEN),
      reason: personName(MAX_REMARK_LENGTH, 'refund-reason.missing'),
      refunded_fen: Fen.optional().describe(
        'what had been refunded when the caller decided; refused if that has changed, so that a repeated call refunds once',
      ),
    }),
    response: ManagedOrder,
    status: 201,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [
      ...refused,
      'session.confirm-required',
      'order.not-found',
      'order.not-paid',
      'refund.changed',
      'refund.too-large',
      'refund.keys-redeemed',
      'refund.upgrade-first',
    ],
  },
  'GET /api/manage/ledger/check/': {
    summary: '核对账目（管理员）',
    response: LedgerCheck,
    role: 'staff',
    billing: true,
    changes: true,
    errors: refused,
  },
  'GET /api/manage/jobs/': {
    summary: '后台任务（管理员）',
    response: z.array(ManagedJob),
    role: 'staff',
    errors: refused,
  },
} as const satisfies Endpoints;
