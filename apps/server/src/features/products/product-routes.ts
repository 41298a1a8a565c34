import { must } from '@tongtu/base';
import type { BulkProduct, ManagedProduct, Product } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import type { PlanTerms } from '../plans/index.ts';
import { changeBulkProduct, changeProduct, createBulkProduct, createProduct } from './change-products.ts';
import { type BulkProductRow, countSold, listBulkProducts, listProducts, type ProductRow } from './product-store.ts';

/** What is for sale, and the calls by which staff change it. */
export function registerProductRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/product/products/', { login: 'optional' }, async ({ query }) => {
    const { count, products } = await listProducts(db, { ...query, onlyListed: true });
    return { count, ...pageLinks('/api/user/product/products/', query, count), results: products.map(productReply) };
  });
  mount(app, 'GET /api/user/product/bulkproducts/', { login: 'optional' }, async ({ query }) => {
    const { count, bulkProducts } = await listBulkProducts(db, { ...query, onlyListed: true });
    const links = pageLinks('/api/user/product/bulkproducts/', query, count);
    return { count, ...links, results: bulkProducts.map(bulkReply) };
  });
  registerManagement(app, db);
}

function registerManagement(app: FastifyInstance, db: Db): void {
  mount(app, 'GET /api/manage/products/', { login: 'required' }, async ({ query }) => {
    const { count, products } = await listProducts(db, { ...query, onlyListed: false });
    return { count, ...pageLinks('/api/manage/products/', query, count), results: await managedReplies(db, products) };
  });
  mount(app, 'POST /api/manage/products/', { login: 'required' }, async ({ body, session, req }) => {
    const product = await createProduct(db, { userId: session.userId, ip: req.ip }, body);
    return managedReply(product, 0);
  });
  mount(app, 'PATCH /api/manage/products/{id}/', { login: 'required' }, async ({ params, body, session, req }) => {
    const product = await changeProduct(db, { userId: session.userId, ip: req.ip }, { id: params.id, patch: body });
    return must((await managedReplies(db, [product]))[0], 'the changed product');
  });
  mount(app, 'GET /api/manage/bulk_products/', { login: 'required' }, async ({ query }) => {
    const { count, bulkProducts } = await listBulkProducts(db, { ...query, onlyListed: false });
    const results = bulkProducts.map((row) => ({ ...bulkReply(row), listed: row.listed }));
    return { count, ...pageLinks('/api/manage/bulk_products/', query, count), results };
  });
  mount(app, 'POST /api/manage/bulk_products/', { login: 'required' }, async ({ body, session, req }) => {
    const input = { productId: body.product_id, tiers: body.tiers, listed: body.listed };
    const row = await createBulkProduct(db, { userId: session.userId, ip: req.ip }, input);
    return { ...bulkReply(row), listed: row.listed };
  });
  mount(app, 'PATCH /api/manage/bulk_products/{id}/', { login: 'required' }, async ({ params, body, session, req }) => {
    const change = { id: params.id, tiers: body.tiers, listed: body.listed };
    const row = await changeBulkProduct(db, { userId: session.userId, ip: req.ip }, change);
    return { ...bulkReply(row), listed: row.listed };
  });
}

/** Terms as replies show them. */
export function termsReply(terms: PlanTerms) {
  return {
    id: terms.productId,
    name: terms.productName,
    days: terms.days,
    bandwidth_bps: terms.bandwidthBps,
    mapping_limit: terms.mappingLimit,
    app_kinds: terms.appKinds,
  };
}

function productReply(row: ProductRow): Product {
  return { ...termsReply(row), description: row.description, price_fen: row.priceFen };
}

async function managedReplies(db: Db, products: readonly ProductRow[]): Promise<ManagedProduct[]> {
  const productIds = products.map(({ productId }) => productId);
  const sold = await countSold(db, productIds);
  return products.map((product) => managedReply(product, sold.get(product.productId) ?? 0));
}

function managedReply(row: ProductRow, soldCount: number): ManagedProduct {
  const { listed, position } = row;
  return { ...productReply(row), listed, position, sold_count: soldCount, updated_at: row.updatedAt.toISOString() };
}

function bulkReply({ id, product, tiers }: BulkProductRow): BulkProduct {
  return { id, product: productReply(product), tiers };
}
