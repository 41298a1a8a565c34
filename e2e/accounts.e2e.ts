import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { testAccount } from './accounts/account.ts';
import { testAlerts } from './accounts/alerts.ts';
import { testAnnouncements } from './accounts/announcements.ts';
import { testInvite } from './accounts/invite.ts';
import { testTabs } from './accounts/tabs.ts';
import { testWechat } from './accounts/wechat.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { launchBrowser } from './support/browser/browser.ts';
import { forgetLimits } from './support/product/database.ts';
import { developmentCodes } from './support/product/development-codes.ts';
import { startProduct, type Product } from './support/product/product.ts';

// What an account does in the console that needs no device of this machine. Each topic has accounts of its own in one
// product.

let product: Product;
let browser: Browser;

beforeAll(async () => {
  const env = { ...developmentCodes, WECHAT_FAKE: 'on', ALERT_PRIVATE_ADDRESSES: 'on', BILLING: 'on' };
  [product, browser] = await Promise.all([startProduct({ args: ['--no-local-agent'], env }), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await product?.[Symbol.asyncDispose]();
});

beforeEach(async ({ task }) => {
  saveLogOnFailure(`accounts-${task.name.slice(0, 30).replaceAll(' ', '-')}`, product.child);
  await forgetLimits(product);
});

const stage = () => ({ product, browser });

describe('an account', () => {
  testAccount(stage);
});

describe('an invitation', () => {
  testInvite(stage);
});

describe('announcements', () => {
  testAnnouncements(stage);
});

describe('WeChat', () => {
  testWechat(stage);
});

describe('tabs', () => {
  testTabs(stage);
});

// Last: a server sends no alerts in its first minute.
describe('alerts', () => {
  testAlerts(stage);
});
