import type { Order } from '@tongtu/contract';
import { yuanText } from '../../../text/shop/money.ts';
import { payText } from '../../../text/shop/orders.ts';

/** What arrived for an order but did not pay it, and goes back: a sentence for each. */
export function returnedPayments({ returns }: Pick<Order, 'returns'>): string[] {
  return returns.map(({ amount_fen: fen, reason, is_done: isDone }) => payText.returned(yuanText(fen), reason, isDone));
}
