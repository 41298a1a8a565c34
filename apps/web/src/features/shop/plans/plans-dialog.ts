import type { Order } from '@tongtu/contract';

/** The one dialog that may be open. Products and plans are looked up again, because their prices may change meanwhile. */
export type PlansDialog =
  | { type: 'buy'; product: number }
  | { type: 'renew' | 'upgrade' | 'bind'; plan: number }
  | { type: 'pay'; order: Order };
