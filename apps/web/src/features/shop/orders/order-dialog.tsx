import { Button } from 'antd';
import type { Order } from '@tongtu/contract';
import { useDevices } from '../../../api/index.ts';
import { sharedText } from '../../../text/shared.ts';
import { momentText } from '../../../text/moment-text.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { ordersText, orderWords } from '../../../text/shop/orders.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { returnedPayments } from '../pay/returned-payments.ts';
import styles from '../shop.module.css';
import { TermsList } from '../terms-list.tsx';

const { labels } = ordersText;

/** Everything about an order. */
export function OrderDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const device = useDevices().data?.find(({ id }) => id === order.router);
  const facts: [string, string | undefined][] = [
    [labels.kind, orderWords.kind[order.kind]],
    [labels.quantity, order.kind === 'bulk' ? ordersText.quantity(order.quantity) : undefined],
    [labels.amount, yuanText(order.amount_fen)],
    [labels.refunded, order.refunded_fen > 0 ? yuanText(order.refunded_fen) : undefined],
    [labels.device, device?.name],
    [labels.created, momentText(order.created_at)],
    [labels.paid, order.paid_at === null ? undefined : momentText(order.paid_at)],
    [labels.closes, order.closes_at === null ? undefined : momentText(order.closes_at)],
  ];
  return (
    <Dialog
      title={`${order.product.name}（${orderWords.status[order.status]}）`}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
      onClose={onClose}
    >
      <dl className={styles.details}>
        <dt>{labels.number}</dt>
        <dd>
          <Mono>{order.number}</Mono>
          <CopyButton text={order.number} label={labels.number} />
        </dd>
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label} className={styles.fact}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {order.returns.length > 0 && (
          <>
            <dt>{labels.returned}</dt>
            <dd>
              {returnedPayments(order).map((sentence, n) => (
                <div key={n}>{sentence}</div>
              ))}
            </dd>
          </>
        )}
        <dt>{labels.product}</dt>
        <dd>
          <TermsList terms={order.product} />
        </dd>
      </dl>
    </Dialog>
  );
}
