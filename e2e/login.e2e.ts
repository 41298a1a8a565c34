import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { testCaptcha } from './login/captcha.ts';
import { testSignIn } from './login/sign-in.ts';
import type { Stage } from './login/stage.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { launchBrowser } from './support/browser/browser.ts';
import { ProfilePool } from './support/browser/profile-pool.ts';
import { openDatabase, type ProductDatabase } from './support/product/database.ts';
import { developmentCodes } from './support/product/development-codes.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { type ScreenSize, screenSizes } from './support/screens/screen-sizes.ts';

// All sign-in methods but WeChat, which is tested with the accounts. Each test begins in a browser without cookies and
// storage.

let product: Product;
let browser: Browser;
let database: ProductDatabase;
let stage: Stage;

beforeAll(async () => {
  [product, browser] = await Promise.all([
    startProduct({ args: ['--no-local-agent'], env: developmentCodes }),
    launchBrowser(),
  ]);
  database = await openDatabase(product);
  const poolOf = (size: ScreenSize) => new ProfilePool(browser, product.consoleUrl, screenSizes[size]);
  stage = { product, browser, database, pools: { desktop: poolOf('desktop'), phone: poolOf('phone') } };
});

afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await browser?.close();
  await product?.[Symbol.asyncDispose]();
});

beforeEach(() => saveLogOnFailure('login', product.child));

describe('sign-in', () => {
  testSignIn(() => stage);
});

describe('captcha', () => {
  testCaptcha(() => stage);
});
