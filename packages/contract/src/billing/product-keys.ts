import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import {
  MAX_KEYS_PER_BATCH,
  MAX_MARKED_KEYS,
  MAX_NAME_LENGTH,
  MAX_REMARK_LENGTH,
  MAX_SEARCH_LENGTH,
} from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdDigits, IdParams, pageOf, PageQuery, personName, personText, Timestamp, GivenId } from '../shared.ts';
import { Order } from './orders.ts';
import { Fen, planTerms } from './products.ts';

/** Keys that one CSV file has. */
export const MAX_EXPORTED_KEYS = 100_000;
/** A search counts no more keys than this. */
export const MAX_FOUND_KEYS = 10_000;

/** unused ↔ issued; redeemed, void and expired from both, and for ever. A key that nobody has issued can be redeemed, too. */
export const ProductKeyStatus = z.enum(['unused', 'issued', 'redeemed', 'void', 'expired']);
export type ProductKeyStatus = z.infer<typeof ProductKeyStatus>;

const KeyText = z
  .string()
  .trim()
  .min(1, fieldMessage('product-key.missing'))
  .max(64, fieldMessage('product-key.shape'))
  .describe('4 groups of 5 letters; case, spaces and hyphens do not matter, O is 0, I and L are 1');

const Promoter = z.object({ id: Id, username: z.string() });
const keyProduct = z.object({ id: Id, name: z.string(), ...planTerms });

export const Place = z.object({
  id: Id,
  name: z.string(),
  note: z.string(),
  promoter: Promoter.nullable(),
  counts: z.record(ProductKeyStatus, z.number().int()),
  worth_fen: Fen.max(Number.MAX_SAFE_INTEGER).describe('price of the redeemed keys when they were made'),
  created_at: Timestamp,
});
export type Place = z.infer<typeof Place>;
const placeFields = {
  name: personName(MAX_NAME_LENGTH, 'name.missing'),
  note: personText(MAX_REMARK_LENGTH),
  promoter: GivenId.nullable().describe('account of a promoter, who then sees and marks its keys'),
};

/** A key as its place sees it. `text` only while it can be handed out: unused or issued. */
export const PlaceKey = z.object({
  id: Id,
  text: z.string().nullable(),
  hint: z.string().describe('last 5 characters'),
  product: keyProduct,
  place: z.object({ id: Id, name: z.string() }).nullable(),
  batch: Id,
  status: ProductKeyStatus,
  note: z.string().describe('reason of the last change'),
  price_fen: Fen.describe('of the product when the key was made'),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  redeemed_at: Timestamp.nullable(),
});
export type PlaceKey = z.infer<typeof PlaceKey>;

/** A key that the caller has redeemed, got as a reward, or bought in a bulk order without a place. */
export const OwnKey = z.object({
  id: Id,
  text: z.string().nullable().describe('of one that nobody has redeemed yet'),
  hint: z.string(),
  product: keyProduct,
  status: ProductKeyStatus,
  expires_at: Timestamp.nullable(),
  redeemed_at: Timestamp.nullable(),
  plan: Id.nullable(),
});
export type OwnKey = z.infer<typeof OwnKey>;

export const keyFilters = {
  place: IdDigits.optional(),
  status: ProductKeyStatus.optional(),
  batch: IdDigits.optional(),
  search: z
    .string()
    .trim()
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe('a whole key, its last 5 characters or more, or the beginning of a note'),
};

const Expiry = Timestamp.optional().describe('in the future; absent: never');
export const KeysCreate = z.strictObject({
  product_id: GivenId,
  place: GivenId.optional(),
  count: z.number().int().min(1).max(MAX_KEYS_PER_BATCH),
  expires_at: Expiry,
  uuid_from_client: z
    .uuid()
    .optional()
    .describe('made by the client: the same one again returns the keys that were made the first time'),
});
export type KeysCreate = z.infer<typeof KeysCreate>;

const refused = ['session.required', 'session.forbidden'] as const;

export const productKeyEndpoints = {
  'POST /api/user/product-keys-for-user/': {
    summary: '兑换一个兑换码',
    body: z.strictObject({
      key: KeyText,
      router: GivenId.optional().describe('device: its plan of the same product gets longer, or it gets a new one'),
      ticket: z.string().max(200).optional().describe('of a solved captcha'),
    }),
    response: Order,
    status: 201,
    billing: true,
    errors: [
      'session.required',
      'product-key.unknown',
      'product-key.redeemed',
      'product-key.redeemed-before',
      'product-key.void',
      'product-key.expired',
      'product-key.locked',
      'captcha.required',
      'captcha.ticket-expired',
      'device.not-found',
      'plan.device-has-plan',
      'plan.too-far-ahead',
    ],
  },
  'GET /api/user/product-keys-for-user/': {
    summary: '我的兑换码：兑换过的、作为奖励得到的，和不归任何渠道的批量购买',
    query: PageQuery,
    response: pageOf(OwnKey),
    billing: true,
    errors: ['session.required'],
  },
  'GET /api/user/product-keys-for-place/': {
    summary: '渠道的兑换码：推广员看自己的渠道，管理员看全部',
    description: `A search counts at most ${MAX_FOUND_KEYS} keys.`,
    query: PageQuery.extend(keyFilters),
    response: pageOf(PlaceKey),
    role: 'management',
    billing: true,
    errors: refused,
  },
  'GET /api/user/product-keys-for-place/export/': {
    summary: '导出渠道的兑换码（CSV）：筛选条件与列表相同',
    description: `The newest ${MAX_EXPORTED_KEYS} keys of the filters. UTF-8 with a byte order mark, CRLF, RFC 4180.`,
    query: z.object(keyFilters),
    response: z.string(),
    csv: true,
    changes: true,
    role: 'management',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required'],
  },
  'POST /api/mark_product_keys_as_status/': {
    summary: '批量修改兑换码的状态：已兑换的不变',
    body: z.strictObject({
      keys: z.array(KeyText).min(1).max(MAX_MARKED_KEYS),
      status: z.enum(['unused', 'issued', 'void']),
      reason: personText(MAX_REMARK_LENGTH).default(''),
    }),
    response: z.object({
      changed: z.number().int().describe('a key that is named twice counts once'),
      skipped: z.array(
        z.object({
          key: z.string(),
          code: z.enum(['product-key.unknown', 'product-key.redeemed', 'product-key.void', 'product-key.expired']),
        }),
      ),
    }),
    raw: true,
    role: 'management',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required'],
  },
  'GET /api/user/product-key-places/': {
    summary: '渠道和各状态的数量：推广员看自己的，管理员看全部',
    query: PageQuery,
    response: pageOf(Place),
    role: 'management',
    billing: true,
    errors: refused,
  },
  'GET /api/manage/places/': {
    summary: '全部渠道（管理员）',
    query: PageQuery,
    response: pageOf(Place),
    role: 'staff',
    billing: true,
    errors: refused,
  },
  'POST /api/manage/places/': {
    summary: '新建渠道（管理员）',
    body: z.strictObject({
      ...placeFields,
      note: placeFields.note.default(''),
      promoter: placeFields.promoter.default(null),
    }),
    response: Place,
    status: 201,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required', 'place.promoter-unknown'],
  },
  'PATCH /api/manage/places/{id}/': {
    summary: '修改渠道（管理员）',
    params: IdParams,
    body: z.strictObject(placeFields).partial(),
    response: Place,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [...refused, 'session.confirm-required', 'place.not-found', 'place.promoter-unknown'],
  },
  'DELETE /api/manage/places/{id}/': {
    summary: '删除还没有兑换码的渠道（管理员）',
    params: IdParams,
    response: Done,
    role: 'staff',
    billing: true,
    errors: [...refused, 'place.not-found', 'place.has-keys'],
  },
  'POST /api/manage/product-keys/': {
    summary: '生成一批兑换码（管理员）',
    body: KeysCreate,
    response: z.object({ batch: Id, keys: z.array(z.string()) }),
    status: 201,
    role: 'staff',
    billing: true,
    confirmed: true,
    errors: [
      ...refused,
      'session.confirm-required',
      'product.not-found',
      'place.not-found',
      'product-key.expiry-past',
      'product-key.uuid-taken',
    ],
  },
} as const satisfies Endpoints;
