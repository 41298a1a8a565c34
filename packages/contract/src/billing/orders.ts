import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_BULK_QUANTITY } from '../limits.ts';
import { Id, IdDigits, IdParams, pageOf, PageQuery, Timestamp, GivenId } from '../shared.ts';
import { Fen, planTerms } from './products.ts';

/** At most this many unpaid orders of one account. */
export const MAX_OPEN_ORDERS = 2;
/** After this time an unpaid order closes. */
export const ORDER_OPEN_HOURS = 24;

/**
 * `new`: a plan; `renew`: more days for a plan; `upgrade`: another product for the rest of a plan; `bulk`: keys;
 * `key`: a redeemed key; `reward`: days of an invitation reward.
 */
export const OrderKind = z.enum(['new', 'renew', 'upgrade', 'bulk', 'key', 'reward']);
export type OrderKind = z.infer<typeof OrderKind>;

/** open → paid → refunded, or open → closed. A payment of a closed order is returned. */
export const OrderStatus = z.enum(['open', 'paid', 'closed', 'refunded']);
export type OrderStatus = z.infer<typeof OrderStatus>;

export const PaymentProviderId = z.enum(['alipay', 'wechat']);
export type PaymentProviderId = z.infer<typeof PaymentProviderId>;

export const Order = z.object({
  id: Id,
  number: z.string().describe('for people and for the payment provider’s records'),
  kind: OrderKind,
  status: OrderStatus,
  product: z.object({ id: Id, name: z.string(), ...planTerms }).describe('as it was when the order was made'),
  quantity: z.number().int().describe('keys of a bulk order, else 1'),
  amount_fen: Fen,
  refunded_fen: Fen,
  plan: Id.nullable().describe('id of the plan that it made, renewed or upgraded; null until paid and for bulk orders'),
  router: Id.nullable().describe('device that the plan will be bound to, or is'),
  created_at: Timestamp,
  closes_at: Timestamp.nullable().describe('null once it is not open any more'),
  paid_at: Timestamp.nullable(),
  pay: z
    .object({ provider: PaymentProviderId, qr_text: z.string(), expires_at: Timestamp })
    .nullable()
    .describe('how to pay an open order'),
  providers: z.array(PaymentProviderId).describe('ways to pay an open order'),
  returns: z
    .array(z.object({ amount_fen: Fen, reason: z.string(), is_done: z.boolean() }))
    .describe('payments that arrived but could not pay the order, and go back by themselves; the oldest first'),
});
export type Order = z.infer<typeof Order>;

const Uuid = z.uuid().describe('made by the client: the same one again returns the same order');
const shownPrice = Fen.optional().describe('price that was shown; another price is refused: order.price-changed');
const provider = PaymentProviderId.optional().describe('default: the first one of the service');

export const OrderCreate = z.strictObject({
  product_id: GivenId,
  uuid_from_client: Uuid,
  kind: z.enum(['new', 'renew', 'upgrade']).default('new'),
  router: GivenId.optional().describe('for `new`: device to bind the plan to'),
  parent: GivenId.optional().describe('for `renew` and `upgrade`: id of the plan'),
  amount_fen: shownPrice,
  provider,
});
export type OrderCreate = z.infer<typeof OrderCreate>;

export const BulkOrderCreate = z.strictObject({
  bulk_product_id: GivenId,
  uuid_from_client: Uuid,
  quantity: z.number().int().min(1).max(MAX_BULK_QUANTITY),
  place: GivenId.optional().describe('place of the keys; a promoter’s own one'),
  amount_fen: shownPrice,
  provider,
});
export type BulkOrderCreate = z.infer<typeof BulkOrderCreate>;

/** What a plan costs to renew or to upgrade at this moment. */
export const Plan = z.object({
  id: Id.describe('of the order that made it'),
  product: z.object({ id: Id, name: z.string(), ...planTerms }),
  is_free: z.boolean(),
  starts_at: Timestamp,
  ends_at: Timestamp,
  router: Id.nullable(),
  router_name: z.string(),
  renewable_until: Timestamp.nullable().describe('latest end that renewing can reach; null: it cannot be renewed'),
  renewal: z.object({ amount_fen: Fen, ends_at: Timestamp }).nullable(),
  renewable_from: Timestamp.nullable().describe('where renewing now would reach too far ahead: when it can be renewed'),
  upgrades: z.array(z.object({ product: z.object({ id: Id, name: z.string(), ...planTerms }), amount_fen: Fen })),
});
export type Plan = z.infer<typeof Plan>;

const orderErrors = [
  'session.required',
  'payment.terms-required',
  'order.price-changed',
  'order.too-many-open',
] as const;
const payErrors = ['payment.unavailable', 'payment.provider-unknown'] as const;

export const orderEndpoints = {
  'GET /api/user/product/orders/': {
    summary: '我的订单，新的在前',
    query: PageQuery,
    response: pageOf(Order),
    billing: true,
    errors: ['session.required'],
  },
  'POST /api/user/product/orders/': {
    summary: '下单；免费套餐立即生效',
    body: OrderCreate,
    response: Order,
    status: 201,
    billing: true,
    errors: [
      ...orderErrors,
      ...payErrors,
      'product.not-found',
      'device.not-found',
      'plan.not-found',
      'order.uuid-taken',
      'plan.device-has-plan',
      'plan.not-renewable',
      'plan.not-upgradable',
      'plan.too-far-ahead',
      'order.free-limit',
    ],
  },
  'GET /api/user/product/orders/{id}/': {
    summary: '一个订单；等待支付时轮询',
    params: IdParams,
    response: Order,
    billing: true,
    errors: ['session.required', 'order.not-found'],
  },
  'DELETE /api/user/product/orders/{id}/': {
    summary: '取消未支付的订单；之后到账的付款会自动退回',
    params: IdParams,
    response: Order,
    billing: true,
    errors: ['session.required', 'order.not-found', 'order.not-open'],
  },
  'POST /api/user/product/orders/{id}/payment/': {
    summary: '换一种方式支付，或刷新二维码',
    params: IdParams,
    body: z.strictObject({ provider: PaymentProviderId }),
    response: Order,
    billing: true,
    errors: ['session.required', 'order.not-found', 'order.not-open', ...payErrors],
  },
  'GET /api/user/product/orders-nonfree-valid/': {
    summary: '我的付费且未到期的套餐',
    query: PageQuery.extend({
      router: IdDigits.optional().describe('only the plan of this device'),
      unbound: z.enum(['true', 'false']).optional().describe('true: only plans without a device'),
    }),
    response: pageOf(Plan),
    billing: true,
    errors: ['session.required'],
  },
  'GET /api/user/product/plans/': {
    summary: '我的全部未到期套餐，包括免费的',
    query: PageQuery,
    response: pageOf(Plan),
    billing: true,
    errors: ['session.required'],
  },
  'POST /api/user/product/bulkorders/': {
    summary: '批量购买兑换码（推广员和管理员）',
    body: BulkOrderCreate,
    response: Order,
    status: 201,
    role: 'management',
    billing: true,
    confirmed: true,
    errors: [
      ...orderErrors,
      'session.confirm-required',
      ...payErrors,
      'session.forbidden',
      'product.not-found',
      'place.not-found',
      'order.uuid-taken',
      'order.too-large',
    ],
  },
  'GET /api/user/product/bulkorders/{id}': {
    summary: '一个批量订单',
    params: IdParams,
    response: Order,
    role: 'management',
    billing: true,
    errors: ['session.required', 'session.forbidden', 'order.not-found'],
  },
} as const satisfies Endpoints;
