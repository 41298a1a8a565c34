import type { Order } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount, mountCsv } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { exportKeys } from './export-keys.ts';
import { countKeys, listKeys } from './key-list-store.ts';
import { ownKeyReply, placeKeyReply } from './key-replies.ts';
import { KeySecrets } from './key-secret.ts';
import { readFilter } from './list-keys.ts';
import { makeKeys } from './make-keys.ts';
import { markKeys } from './mark-keys.ts';
import { listOwnKeys } from './own-key-store.ts';
import { registerPlaceRoutes } from './place-routes.ts';
import { redeemKey } from './redeem-key.ts';

/** `describeOrder` comes from the orders, which know the keys that they deliver. */
type DescribeOrder = (orderId: number) => Promise<Order>;
export type ProductKeyRoutesDeps = { db: Db; sealingKey: Buffer; describeOrder: DescribeOrder };
type Deps = { db: Db; secrets: KeySecrets; describeOrder: DescribeOrder };

/** Redeeming keys, one's own keys, and the keys and places of management users. */
export function registerProductKeyRoutes(app: FastifyInstance, { sealingKey, ...rest }: ProductKeyRoutesDeps): void {
  const deps = { ...rest, secrets: new KeySecrets(sealingKey) };
  mountOwn(app, deps);
  mountLists(app, deps);
  mountChanges(app, deps);
  registerPlaceRoutes(app, deps);
}

function mountOwn(app: FastifyInstance, deps: Deps): void {
  const { db, secrets } = deps;
  mount(app, 'POST /api/user/product-keys-for-user/', { login: 'required' }, async ({ body, session, req }) => {
    const { key: typed, router: deviceId = null, ticket } = body;
    return await deps.describeOrder(await redeemKey(deps, { userId: session.userId, typed, deviceId, ticket, req }));
  });
  mount(app, 'GET /api/user/product-keys-for-user/', { login: 'required' }, async ({ query, session }) => {
    const { count, keys } = await listOwnKeys(db, session.userId, query);
    const results = keys.map((key) => ownKeyReply(secrets, key));
    return { count, ...pageLinks('/api/user/product-keys-for-user/', query, count), results };
  });
}

function mountLists(app: FastifyInstance, deps: Deps): void {
  const { db, secrets } = deps;
  mount(app, 'GET /api/user/product-keys-for-place/', { login: 'required' }, async ({ query, session }) => {
    const filter = await readFilter(deps, session, query);
    const count = await countKeys(db, filter);
    const keys = await listKeys(db, filter, { ...query, count });
    const results = keys.map((key) => placeKeyReply(secrets, key));
    return { count, ...pageLinks('/api/user/product-keys-for-place/', query, count), results };
  });
  mountCsv(
    app,
    'GET /api/user/product-keys-for-place/export/',
    { login: 'required' },
    async ({ query, session, req }) => {
      const filter = await readFilter(deps, session, query);
      const actor = { userId: session.userId, ip: req.ip };
      const lines = await exportKeys(deps, { filter, asked: query }, actor);
      return { filename: 'product-keys.csv', lines };
    },
  );
}

function mountChanges(app: FastifyInstance, deps: Deps): void {
  mount(app, 'POST /api/mark_product_keys_as_status/', { login: 'required' }, async ({ body, session, req }) => {
    return await markKeys(deps, { viewer: session, actor: { userId: session.userId, ip: req.ip } }, body);
  });
  mount(app, 'POST /api/manage/product-keys/', { login: 'required' }, async ({ body, session, req }) => {
    const { batchId, texts } = await makeKeys(deps, body, { userId: session.userId, ip: req.ip });
    return { batch: batchId, keys: texts };
  });
}
