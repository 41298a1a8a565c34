import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { acceptPaymentTerms, insertProduct } from '../../../testing/billing-fixtures.ts';
import { insertHome } from '../../../testing/device-fixtures.ts';
import { checkLedger } from '../../ledger/index.ts';
import { newNumber } from '../../plans/index.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import type { PaymentProviderId } from '../payment-provider.ts';
import { startPayment } from '../paying/start-payment.ts';
import { askAboutPayments, closeOverdueOrders } from '../reconciling/ask-about-payments.ts';
import { sendRefunds } from '../refunds/send-refunds.ts';
import { MemoryProvider } from '../../../testing/memory-provider.ts';

export const PRICE_FEN = 2_600;

/** A buyer with a device, a product, and both providers in memory. */
export async function openTill(db: Db) {
  const alipay = new MemoryProvider('alipay');
  const wechat = new MemoryProvider('wechat');
  const providers = new Map<PaymentProviderId, MemoryProvider>([
    ['alipay', alipay],
    ['wechat', wechat],
  ]);
  const deps: PaymentDeps = { db, providers, sealingKey: Buffer.alloc(32, 3), log: pino({ level: 'silent' }) };
  const { userId, deviceId } = await insertHome(db);
  await acceptPaymentTerms(db, userId);
  const productId = await insertProduct(db, { price_fen: PRICE_FEN });

  const order = async (more: { quantity?: number } = {}): Promise<number> => {
    const product = await db
      .selectFrom('product')
      .select(['days', 'bandwidthBps', 'mappingLimit', 'appKinds', 'priceFen'])
      .where('id', '=', productId)
      .executeTakeFirstOrThrow();
    const row = await db
      .insertInto('productOrder')
      .values({
        ...{ number: newNumber('T'), userId, uuidFromClient: randomUUID(), kind: 'new', status: 'open' },
        ...{ ...product, productId, productName: '标准版', amountFen: PRICE_FEN, ...more },
        closesAt: sql<Date>`now() + interval '24 hours'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  /** Starts a payment of the order and returns its number. */
  const start = async (orderId: number, provider: PaymentProviderId = 'alipay'): Promise<string> => {
    await startPayment(deps, { orderId, provider });
    const row = await db
      .selectFrom('payment')
      .select('number')
      .where('orderId', '=', orderId)
      .where('provider', '=', provider)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return row.number;
  };
  const statusOf = async (orderId: number) =>
    await db
      .selectFrom('productOrder')
      .select(['status', 'refundedFen'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
  const paymentsOf = async (orderId: number) =>
    await db
      .selectFrom('payment')
      .select(['number', 'provider', 'status', 'settles', 'paidFen', 'refundedFen'])
      .where('orderId', '=', orderId)
      .orderBy('id')
      .execute();
  const problems = async (): Promise<string[]> => (await checkLedger(db)).problems;
  return { db, deps, alipay, wechat, userId, deviceId, productId, order, start, statusOf, paymentsOf, problems };
}

export type Till = Awaited<ReturnType<typeof openTill>>;

/** Lets the time come at which everything that waits is due, and runs the jobs. */
export async function reconcile({ db, deps }: Pick<Till, 'db' | 'deps'>): Promise<void> {
  await db
    .updateTable('payment')
    .set({ askedAt: sql<Date>`now() - interval '1 day'` })
    .where('status', '=', 'waiting')
    .execute();
  await db
    .updateTable('refund')
    .set({ nextTryAt: sql<Date>`now()` })
    .where('status', '<>', 'done')
    .execute();
  await askAboutPayments(deps);
  await closeOverdueOrders(deps);
  await sendRefunds(deps);
}

/** The order's time, and that of its payments, was over so many minutes ago. */
export async function letOrderExpire(db: Db, orderId: number, minutesAgo: number): Promise<void> {
  const end = sql<Date>`now() - make_interval(mins => ${minutesAgo})`;
  await db.updateTable('productOrder').set({ closesAt: end }).where('id', '=', orderId).execute();
  await db.updateTable('payment').set({ expiresAt: end }).where('orderId', '=', orderId).execute();
}

/** Makes the account a superuser who is alerted when the ledger does not balance. */
export async function alertSuperuser(db: Db, userId: number): Promise<void> {
  await db.updateTable('userAccount').set({ isSuperuser: true }).where('id', '=', userId).execute();
  const channel = { userId, kind: 'bark' as const, name: '值班', targetSealed: Buffer.alloc(1), hint: '' };
  await db
    .insertInto('alertChannel')
    .values({ ...channel, hasSecret: false, events: ['ledger_unbalanced'] })
    .execute();
}
