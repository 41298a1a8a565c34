import { cloudAppKinds, type ProductCreate } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { insertFirstProducts } from './product-store.ts';

const MBIT = 1_000_000;
const listed = { listed: true, app_kinds: [...cloudAppKinds] };

/** What an installation sells at first; staff change it. */
const starterCatalogue: readonly ProductCreate[] = [
  {
    ...listed,
    ...{ name: '体验版', description: '先试一试：每周可领取一次，最多两台设备' },
    ...{ days: 7, bandwidth_bps: 4 * MBIT, mapping_limit: 5, price_fen: 0, position: 10 },
    app_kinds: ['ssh'],
  },
  {
    ...listed,
    ...{ name: '标准版', description: '适合访问家里的路由器和 NAS 管理页面' },
    ...{ days: 365, bandwidth_bps: 4 * MBIT, mapping_limit: 12, price_fen: 2_600, position: 20 },
  },
  {
    ...listed,
    ...{ name: '进阶版', description: '更快，适合看照片、传文件和远程桌面' },
    ...{ days: 365, bandwidth_bps: 8 * MBIT, mapping_limit: 20, price_fen: 7_800, position: 30 },
  },
];

/** Inserts the starter catalogue into an installation that has no products yet. */
export async function ensureStarterCatalogue(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => await insertFirstProducts(tx, starterCatalogue));
}
