import { readClock } from '../../../db/read-clock.ts';
import type { SharedJob } from '../../../jobs/run-shared-jobs.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import { sendRefunds } from '../refunds/send-refunds.ts';
import { askAboutPayments, closeOverdueOrders } from './ask-about-payments.ts';
import { compareBills } from './compare-bills.ts';

const ASK_EVERY_SECONDS = 5;
const CLOSE_EVERY_SECONDS = 30;
const REFUND_EVERY_SECONDS = 5;
const COMPARE_EVERY_SECONDS = 1_800;

/** What corrects lost notifications, crashes and providers that did not answer. */
export function paymentJobs(deps: PaymentDeps): SharedJob[] {
  return [
    { name: 'ask about payments', everySeconds: ASK_EVERY_SECONDS, run: () => askAboutPayments(deps) },
    { name: 'close unpaid orders', everySeconds: CLOSE_EVERY_SECONDS, run: () => closeOverdueOrders(deps) },
    { name: 'send refunds', everySeconds: REFUND_EVERY_SECONDS, run: () => sendRefunds(deps) },
    {
      name: 'compare bills',
      everySeconds: COMPARE_EVERY_SECONDS,
      run: async () => await compareBills(deps, await readClock(deps.db)),
    },
  ];
}
