import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import type { PaymentProvider, PaymentProviderId } from './payment-provider.ts';

export type PaymentDeps = {
  db: Db;
  /** Of the operator's choice; without any, nothing can be paid. */
  providers: ReadonlyMap<PaymentProviderId, PaymentProvider>;
  /** For keys of bulk orders. */
  sealingKey: Buffer;
  log: Logger;
};
