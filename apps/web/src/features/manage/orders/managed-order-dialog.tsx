import { Button } from 'antd';
import type { ManagedOrder } from '@tongtu/contract';
import { momentText } from '../../../text/moment-text.ts';
import { managedOrdersText, paymentStatusWords, refundStatusWords } from '../../../text/management/orders.ts';
import { sharedText } from '../../../text/shared.ts';
import { daysText, rateText, yuanText } from '../../../text/shop/money.ts';
import { ordersText, orderWords, providerWords } from '../../../text/shop/orders.ts';
import { termsText } from '../../../text/shop/plans.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../frame/frame.module.css';

type ManagedPayment = ManagedOrder['payments'][number];
const { labels } = ordersText;

/** An order with its payments and refunds. */
export function ManagedOrderDialog({ order, onClose }: { order: ManagedOrder; onClose: () => void }) {
  const { product } = order;
  const terms = [
    product.name,
    daysText(product.days),
    termsText.bandwidth(rateText(product.bandwidth_bps)),
    termsText.mappings(product.mapping_limit),
  ];
  const facts: [string, string | undefined][] = [
    [managedOrdersText.user, order.user?.username ?? managedOrdersText.noUser],
    [labels.kind, orderWords.kind[order.kind]],
    [labels.product, terms.join('，')],
    [labels.quantity, order.kind === 'bulk' ? ordersText.quantity(order.quantity) : undefined],
    [labels.amount, yuanText(order.amount_fen)],
    [labels.refunded, order.refunded_fen > 0 ? yuanText(order.refunded_fen) : undefined],
    [labels.created, momentText(order.created_at)],
    [labels.paid, order.paid_at === null ? undefined : momentText(order.paid_at)],
    [labels.closes, order.closes_at === null ? undefined : momentText(order.closes_at)],
  ];
  return (
    <Dialog
      title={`${product.name}（${orderWords.status[order.status]}）`}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
      onClose={onClose}
    >
      <dl className={styles.details}>
        <dt>{labels.number}</dt>
        <dd>
          <Mono>{order.number}</Mono>
        </dd>
        {facts.flatMap(([label, value]) =>
          value === undefined ? [] : [<dt key={`${label} name`}>{label}</dt>, <dd key={label}>{value}</dd>],
        )}
      </dl>
      <h3 className={styles.subtitle}>{managedOrdersText.payments}</h3>
      {order.payments.length === 0 && <p className={styles.hint}>{managedOrdersText.noPayment}</p>}
      <ul className={styles.payments}>
        {order.payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
      </ul>
    </Dialog>
  );
}

function PaymentRow({ payment }: { payment: ManagedPayment }) {
  const { number, transaction_id: transaction, paid_at: paidAt, refunds } = payment;
  return (
    <li className={styles.row} aria-label={number}>
      <div className={styles.about}>
        <div className={styles.head}>
          <span>{providerWords[payment.provider]}</span>
          <strong>{yuanText(payment.amount_fen)}</strong>
          <span>{paymentStatusWords[payment.status]}</span>
        </div>
        <div className={styles.facts}>
          <Mono>{number}</Mono>
          {transaction !== null && (
            <span>
              {managedOrdersText.transaction} <Mono>{transaction}</Mono>
            </span>
          )}
          {paidAt !== null && <span>{managedOrdersText.paidAt(momentText(paidAt))}</span>}
        </div>
        {refunds.map((refund) => (
          <div key={refund.id} className={styles.facts}>
            <strong>
              {managedOrdersText.refunds} {yuanText(refund.amount_fen)}
            </strong>
            <span>{refundStatusWords[refund.status]}</span>
            <span>{refund.reason}</span>
            <span>{refund.made_by === '' ? managedOrdersText.automatic : managedOrdersText.by(refund.made_by)}</span>
            <span>{momentText(refund.created_at)}</span>
          </div>
        ))}
      </div>
    </li>
  );
}
