import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import type { PaymentProvider, PaymentProviderId } from './payment-provider.ts';

/** What payments do to orders (features/orders). Each runs in the transaction of the payment, which has locked the order. */
export type OrderEffects = {
  /** Gives the buyer what was paid for. `impossible`: the order is paid or closed, or its account is deleted. */
  settleOrder(tx: Db, orderId: number): Promise<'settled' | 'impossible'>;
  /** Takes back what a fully refunded order gave. Throws refund.keys-redeemed. */
  takeBackOrder(tx: Db, orderId: number): Promise<void>;
  /** Adds to what the order has been refunded. A fully refunded order becomes `refunded`. */
  markRefunded(tx: Db, orderId: number, amountFen: number): Promise<void>;
};

export type PaymentDeps = {
  db: Db;
  providers: ReadonlyMap<PaymentProviderId, PaymentProvider>;
  orders: OrderEffects;
  log: Logger;
};
