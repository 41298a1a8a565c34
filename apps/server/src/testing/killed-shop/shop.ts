import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { must } from '@tongtu/base';
import type { Order } from '@tongtu/contract';
import { pino } from 'pino';
import { createDb, createPool, type Db } from '../../db/driver.ts';
import { translateErrors } from '../../db/database-errors.ts';
import { createPaymentProviders, type PaymentConfig, type PaymentProvider } from '../../features/payments/index.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { registerBillingFeatures } from '../../register-billing-features.ts';
import { testKeys } from '../apps/open-account-app.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../apps/open-test-app.ts';
import { type Course, currentCourse, poolWithSteps } from './courses.ts';

/** Connections that stand still in the middle of a transaction, and some more. */
const POOL_SIZE = 40;

export type Buyer = { userId: number; deviceId: number; productId: number; key: string; uuid: string };
export type ShopConfig = {
  databaseUrl: string;
  alipay: Record<'appId' | 'sellerId' | 'privateKey' | 'alipayPublicKey' | 'gatewayUrl', string>;
};

export type Shop = {
  db: Db;
  app: TestApp;
  jobs: readonly SharedJob[];
  buy(buyer: Buyer, course: Course): Promise<void>;
};

/** The shop's calls and jobs, with Alipay over HTTP. */
export async function openShop({ databaseUrl, alipay }: ShopConfig): Promise<Shop> {
  const log = pino({ level: 'silent' });
  const pool = createPool(databaseUrl, log);
  pool.options.max = POOL_SIZE;
  const db = createDb(poolWithSteps(translateErrors(pool)));
  const payments = { alipay: readKeys(alipay), wechat: undefined };
  let jobs: readonly SharedJob[] = [];
  const app = await openTestApp(db, async (fastify) => {
    const port = await receiveNotifications(() => app);
    const secrets = { sealingKey: testKeys.sealingKey };
    const config = { billing: 'on', payments, publicUrl: 'https://example.com', secrets } as const;
    const createProviders = () => new Map([['alipay' as const, providerWithSteps(payments, port)]]);
    ({ jobs } = registerBillingFeatures(fastify, { config, db, log, createProviders }));
  });
  return {
    ...{ db, app, jobs },
    async buy(buyer, course) {
      const browser = await app.browserOf(buyer.userId);
      await course.take(async () => await buyAndRedeem(browser, buyer));
    },
  };
}

/** A buyer orders, pays and redeems a key; what was done before changes nothing. */
async function buyAndRedeem(browser: TestBrowser, buyer: Buyer): Promise<void> {
  const { userId, deviceId, productId, key, uuid } = buyer;
  // An address of its own: wrong tries of one count for all others there.
  const call = async (path: string, body: object) =>
    await browser.call('POST', path, body, { 'x-forwarded-for': `10.0.${userId >> 8}.${userId & 255}` });
  const order = { uuid_from_client: uuid, product_id: productId, kind: 'new', router: deviceId };
  const { status, body } = await call('/api/user/product/orders/', order);
  if (status !== 200 && status !== 201) throw new Error(`the order was answered ${status}`);
  const { pay } = body as Order;
  if (pay) await fetch(pay.qr_text, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) });
  await call('/api/user/product-keys-for-user/', { key });
}

function readKeys({ privateKey, alipayPublicKey, ...rest }: ShopConfig['alipay']): PaymentConfig['alipay'] {
  return { ...rest, privateKey: createPrivateKey(privateKey), alipayPublicKey: createPublicKey(alipayPublicKey) };
}

const ways = new Map<string, Course>();

/** Calls of the provider are steps, too: before the provider acts, and before its answer is used. */
function providerWithSteps(payments: PaymentConfig, port: number): PaymentProvider {
  const providerOf = (id: string): PaymentProvider => {
    const made = createPaymentProviders(payments, { notifyUrl: () => `http://127.0.0.1:${port}/${id}` });
    return must(made.get('alipay'), 'the provider');
  };
  const provider = providerOf('');
  return {
    ...provider,
    async create(payment) {
      const course = currentCourse();
      if (course) ways.set(payment.number, course);
      await course?.step('the provider creates the payment');
      const qr = await providerOf(payment.number).create(payment);
      await course?.step('the provider has created the payment');
      return qr;
    },
  };
}

/** Passes notifications on to their call, as steps of the buyer who paid. Returns the port. */
async function receiveNotifications(app: () => TestApp): Promise<number> {
  const server = createServer((req, res) => {
    const pass = async (): Promise<void> => {
      const payload = await buffer(req);
      const headers = { ...req.headers, host: 'localhost' };
      const { app: fastify } = app();
      const reply = await fastify.inject({ method: 'POST', url: '/api/payment/notify/alipay', headers, payload });
      res.writeHead(reply.statusCode).end(reply.body);
    };
    const course = ways.get((req.url ?? '').slice(1));
    void (course ? course.take(pass) : pass());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port; // it listens on TCP
}
