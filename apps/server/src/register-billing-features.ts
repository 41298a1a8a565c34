import { must } from '@tongtu/base';
import type { PaymentProviderId } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from './db/driver.ts';
import { invitationRewardJobs, registerInvitationRewardRoutes } from './features/invitation-rewards/index.ts';
import { ledgerJob, registerLedgerRoutes } from './features/ledger/index.ts';
import { registerManageOrderRoutes } from './features/manage-orders/index.ts';
import { describeOrder, findOrder, registerOrderRoutes } from './features/orders/index.ts';
import {
  closePayments,
  createPaymentProviders,
  listReturns,
  listWaitingPayments,
  type PaymentDeps,
  paymentJobs,
  registerPaymentRoutes,
  startPayment,
} from './features/payments/index.ts';
import { planReminderJob } from './features/plan-reminders/index.ts';
import { productKeyJobs, registerProductKeyRoutes } from './features/product-keys/index.ts';
import { registerProductRoutes } from './features/products/index.ts';
import type { App } from './http/create-app.ts';
import type { SharedJob } from './jobs/run-shared-jobs.ts';
import type { ServerConfig } from './server-config.ts';

type BillingConfig = Pick<ServerConfig, 'billing' | 'payments' | 'publicUrl'> & {
  secrets: Pick<ServerConfig['secrets'], 'sealingKey'>;
};

type BillingDeps = {
  config: BillingConfig;
  db: Db;
  log: Logger;
  /** Replaced in tests. */
  createProviders?: (...args: Parameters<typeof createPaymentProviders>) => PaymentDeps['providers'];
};

/**
 * Registers what has to do with money. Where billing is off, its calls answer `billing.off`, and there are neither jobs nor
 * an address for notifications. Without a provider, orders cannot be paid; free plans and keys work.
 */
export function registerBillingFeatures(
  app: App,
  { config, db, log, createProviders = createPaymentProviders }: BillingDeps,
): { jobs: SharedJob[] } {
  const { sealingKey } = config.secrets;
  const isOn = config.billing === 'on';
  const notifyUrl = (provider: PaymentProviderId): string => `${config.publicUrl}/api/payment/notify/${provider}`;
  const providers = isOn ? createProviders(config.payments, { notifyUrl }) : new Map();
  const deps: PaymentDeps = { db, providers, sealingKey, log };
  registerProductRoutes(app, { db });
  registerOrderRoutes(app, {
    ...{ db, sealingKey },
    payments: {
      providers: [...providers.keys()],
      start: async (orderId, provider) => void (await startPayment(deps, { orderId, provider })),
      listWaiting: async (orderIds) => await listWaitingPayments(db, orderIds),
      listReturns: async (orderIds) => await listReturns(db, orderIds),
      close: async (orderId) => void (await closePayments(deps, orderId)),
    },
  });
  registerProductKeyRoutes(app, {
    ...{ db, sealingKey },
    describeOrder: async (id) => describeOrder(must(await findOrder(db, id), 'the order of the key')),
  });
  registerInvitationRewardRoutes(app, { db, sealingKey, publicUrl: config.publicUrl, log });
  registerManageOrderRoutes(app, { db });
  registerLedgerRoutes(app, { db, log });
  if (!isOn) return { jobs: [] };
  registerPaymentRoutes(app, deps);
  return {
    jobs: [
      ...paymentJobs(deps),
      ledgerJob({ db, log }),
      ...productKeyJobs({ db }),
      planReminderJob({ db }),
      ...invitationRewardJobs({ db, log }),
    ],
  };
}
