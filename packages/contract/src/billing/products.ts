import { z } from 'zod';
import { cloudAppKinds } from '../cloud-apps/app-kinds.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_BULK_QUANTITY, MAX_MAPPINGS_PER_DEVICE, MAX_NAME_LENGTH, MAX_REMARK_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdParams, pageOf, PageQuery, personName, personText, Timestamp, GivenId } from '../shared.ts';

/** A million yuan: no price, payment or refund is larger. */
export const MAX_FEN = 100_000_000;
/** How far ahead a plan may be paid for: two years. */
export const MAX_PLAN_DAYS_AHEAD = 730;
const MAX_BANDWIDTH_BPS = 10_000_000_000;

export const Fen = z.number().int().min(0).max(MAX_FEN).describe('分: 100 are one yuan');
const AppKinds = z
  .array(z.enum(cloudAppKinds))
  .max(cloudAppKinds.length)
  .describe('kinds of cloud apps that the plan allows');

/** What a plan allows. An order keeps a copy, so that a later change of the product does not change what was sold. */
export const planTerms = {
  days: z.number().int().min(1).max(MAX_PLAN_DAYS_AHEAD).describe('validity'),
  bandwidth_bps: z.number().int().min(64_000).max(MAX_BANDWIDTH_BPS).describe('bit/s of each direction'),
  mapping_limit: z.number().int().min(1).max(MAX_MAPPINGS_PER_DEVICE),
  app_kinds: AppKinds,
};

export const Product = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  ...planTerms,
  price_fen: Fen.describe('0: free, at most once a week and on at most two devices'),
});
export type Product = z.infer<typeof Product>;

export const ManagedProduct = Product.extend({
  listed: z.boolean().describe('for sale; one that was sold is unlisted, never deleted'),
  position: z.number().int(),
  sold_count: z.number().int().describe('paid orders'),
  updated_at: Timestamp,
});
export type ManagedProduct = z.infer<typeof ManagedProduct>;

const productFields = {
  name: personName(MAX_NAME_LENGTH, 'name.missing'),
  description: personText(MAX_REMARK_LENGTH),
  ...planTerms,
  price_fen: Fen,
  listed: z.boolean(),
  position: z.number().int().min(0).max(10_000).describe('order in the list; equal ones by id'),
};
export const ProductCreate = z.strictObject({
  ...productFields,
  description: productFields.description.default(''),
  app_kinds: AppKinds.default(cloudAppKinds),
  listed: z.boolean().default(true),
  position: productFields.position.default(0),
});
export type ProductCreate = z.infer<typeof ProductCreate>;
export const ProductPatch = z.strictObject(productFields).partial();
export type ProductPatch = z.infer<typeof ProductPatch>;

/** Many keys of one product at a discount. The tier with the largest `from` that the quantity reaches applies. */
export const BulkTier = z.strictObject({
  from: z.number().int().min(1).max(MAX_BULK_QUANTITY).describe('keys'),
  percent: z.number().int().min(1).max(100).describe('of the price that is paid: 90 is 九折'),
});
export const BulkProduct = z.object({ id: Id, product: Product, tiers: z.array(BulkTier) });
export type BulkProduct = z.infer<typeof BulkProduct>;

function isCheaperByQuantity(list: readonly z.infer<typeof BulkTier>[]): boolean {
  const percents = list.toSorted((one, other) => one.from - other.from).map(({ percent }) => percent);
  return percents.every((percent, n) => percent <= (percents[n - 1] ?? percent));
}

const tiers = z
  .array(BulkTier)
  .min(1)
  .max(10)
  .refine((list) => new Set(list.map((tier) => tier.from)).size === list.length, fieldMessage('bulk-tiers.twice'))
  .refine(isCheaperByQuantity, fieldMessage('bulk-tiers.dearer'))
  .describe('replaces all; each `from` once; a larger one has no larger `percent`');
export const BulkProductCreate = z.strictObject({ product_id: GivenId, tiers, listed: z.boolean().default(true) });
export const BulkProductPatch = z.strictObject({ tiers: tiers.optional(), listed: z.boolean().optional() });
export const ManagedBulkProduct = BulkProduct.extend({ listed: z.boolean() });

const refused = ['session.required', 'session.forbidden'] as const;

export const productEndpoints = {
  'GET /api/user/product/products/': {
    summary: '在售套餐（无需登录）',
    query: PageQuery,
    response: pageOf(Product),
    billing: true,
    errors: [],
  },
  'GET /api/user/product/bulkproducts/': {
    summary: '可批量购买的套餐（无需登录）',
    query: PageQuery,
    response: pageOf(BulkProduct),
    billing: true,
    errors: [],
  },
  'GET /api/manage/products/': {
    summary: '全部套餐（管理员）',
    query: PageQuery,
    response: pageOf(ManagedProduct),
    role: 'staff',
    billing: true,
    errors: refused,
  },
  'POST /api/manage/products/': {
    summary: '新建套餐（管理员）',
    body: ProductCreate,
    response: ManagedProduct,
    status: 201,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required'],
  },
  'PATCH /api/manage/products/{id}/': {
    summary: '修改套餐（管理员）：已经卖出的不受影响',
    params: IdParams,
    body: ProductPatch,
    response: ManagedProduct,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required', 'product.not-found'],
  },
  'GET /api/manage/bulk_products/': {
    summary: '全部批量套餐（管理员）',
    query: PageQuery,
    response: pageOf(ManagedBulkProduct),
    role: 'staff',
    billing: true,
    errors: refused,
  },
  'POST /api/manage/bulk_products/': {
    summary: '新建批量套餐（管理员）：每个套餐至多一个',
    body: BulkProductCreate,
    response: ManagedBulkProduct,
    status: 201,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required', 'product.not-found', 'bulk-product.exists'],
  },
  'PATCH /api/manage/bulk_products/{id}/': {
    summary: '修改批量套餐（管理员）',
    params: IdParams,
    body: BulkProductPatch,
    response: ManagedBulkProduct,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required', 'product.not-found'],
  },
} as const satisfies Endpoints;
