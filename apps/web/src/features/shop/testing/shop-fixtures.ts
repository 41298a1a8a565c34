import type { BulkProduct, Order, Plan, Product } from '@tongtu/contract';

export const standard: Product = {
  ...{ id: 2, name: '标准版', description: '', days: 365, bandwidth_bps: 4_000_000, mapping_limit: 12 },
  ...{ app_kinds: ['ssh'], price_fen: 2600 },
};
export const advanced: Product = { ...standard, id: 3, name: '进阶版', bandwidth_bps: 8_000_000, price_fen: 7800 };
export const trial: Product = { ...standard, id: 1, name: '体验版', days: 7, price_fen: 0 };

export const bulkProduct: BulkProduct = {
  id: 5,
  product: standard,
  tiers: [
    { from: 10, percent: 90 },
    { from: 100, percent: 80 },
  ],
};

const { description: _description, price_fen: _price, ...sold } = standard;

export function planOf(given: Partial<Plan> = {}): Plan {
  const { description: _more, price_fen: _higher, ...better } = advanced;
  return {
    ...{ id: 40, product: sold, is_free: false, router: 7, router_name: '家里的群晖' },
    starts_at: '2026-11-01T00:00:00.000Z',
    ends_at: '2126-11-01T00:00:00.000Z',
    renewable_until: '2128-11-01T00:00:00.000Z',
    renewal: { amount_fen: 2600, ends_at: '2127-11-01T00:00:00.000Z' },
    renewable_from: null,
    upgrades: [{ product: better, amount_fen: 4321 }],
    ...given,
  };
}

/** An open order that waits for a payment by Alipay. */
export function orderOf(given: Partial<Order> = {}): Order {
  return {
    ...{ id: 90, number: 'T20261124000001', kind: 'new', status: 'open', product: sold, quantity: 1 },
    ...{ amount_fen: 2600, refunded_fen: 0, plan: null, router: 7, paid_at: null },
    created_at: '2126-11-24T00:00:00.000Z',
    closes_at: '2126-11-25T00:00:00.000Z',
    pay: { provider: 'alipay', qr_text: 'https://qr.alipay.com/bax1', expires_at: '2126-11-24T02:00:00.000Z' },
    providers: ['alipay', 'wechat'],
    returns: [],
    ...given,
  };
}

export const paid = { status: 'paid', paid_at: '2126-11-24T00:01:00.000Z', closes_at: null, pay: null } as const;

export function pageOf<Row>(results: Row[]) {
  return { count: results.length, next: null, previous: null, results };
}

type Roles = Partial<Record<'is_staff' | 'is_promoter' | 'is_superuser' | 'accepted_terms_of_payment', boolean>>;

/** The answers that every screen of the shop needs. */
export function shopAnswers({ billing = 'on', ...roles }: Roles & { billing?: 'on' | 'off' } = {}) {
  const me = { id: 1, token: 'tt_x', is_staff: false, is_promoter: false, is_superuser: false };
  return {
    'GET /api/site/config/': () => ({ billing, console_url: 'https://example.com' }),
    'GET /api/profile/': () => [{ ...me, accepted_terms_of_payment: true, ...roles }],
  };
}
