import type { Browser } from 'playwright-core';
import type { Product } from '../support/product/product.ts';

/** What the tests of this folder share: the product without a device of this machine. */
export type Stage = { product: Product; browser: Browser };
