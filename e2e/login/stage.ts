import type { Browser } from 'playwright-core';
import type { ProfilePool } from '../support/browser/profile-pool.ts';
import type { ProductDatabase } from '../support/product/database.ts';
import type { Product } from '../support/product/product.ts';
import type { ScreenSize } from '../support/screens/screen-sizes.ts';

/** What the tests of this folder share: the product with all sign-in methods but WeChat, and browsers for it. */
export type Stage = {
  product: Product;
  browser: Browser;
  database: ProductDatabase;
  pools: Record<ScreenSize, ProfilePool>;
};
