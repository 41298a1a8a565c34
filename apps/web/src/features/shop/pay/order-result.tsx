import { CheckCircleFilled, CloseCircleFilled, RollbackOutlined } from '@ant-design/icons';
import type { Order } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../routing/paths.ts';
import { visibleName } from '../../../text/devices/names.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { momentText } from '../../../text/moment-text.ts';
import { ordersText, payText } from '../../../text/shop/orders.ts';
import { usePlans } from '../use-orders.ts';
import styles from './pay.module.css';
import { returnedPayments } from './returned-payments.ts';

/** What came of an order that is not open any more. */
export function OrderResult({ order }: { order: Order }) {
  switch (order.status) {
    case 'open':
      return null;
    case 'paid':
      return <Paid order={order} />;
    case 'closed':
      return <Result tone="muted" icon={<CloseCircleFilled />} title={payText.closed} lines={closedLines(order)} />;
    case 'refunded':
      return (
        <Result
          tone="muted"
          icon={<RollbackOutlined />}
          title={payText.refunded}
          lines={[payText.refundedText(yuanText(order.refunded_fen)), ...returnedPayments(order)]}
        />
      );
  }
}

function closedLines(order: Order): string[] {
  const returned = returnedPayments(order);
  return returned.length > 0 ? returned : [payText.closedText];
}

function titleOf({ kind, amount_fen: amountFen }: Order): string {
  if (kind === 'key') return payText.redeemed;
  return amountFen === 0 ? payText.free : payText.paid;
}

function whatChanged({ kind, product, quantity }: Order): string {
  switch (kind) {
    case 'renew':
    case 'upgrade':
      return payText.results[kind](product.name);
    case 'bulk':
      return payText.results.bulk(product.name, quantity);
    case 'new':
    case 'key':
    case 'reward':
      return payText.results.new(product.name);
  }
}

function Paid({ order }: { order: Order }) {
  const plan = usePlans().data?.find(({ id }) => id === order.plan);
  const isBulk = order.kind === 'bulk';
  const lines = [
    whatChanged(order),
    ...(isBulk ? [payText.bulkPlace] : []),
    ...(plan ? [payText.until(momentText(plan.ends_at))] : []),
    ...(plan && plan.router !== null ? [payText.boundTo(visibleName(plan.router_name, ordersText.labels.device))] : []),
    ...(plan?.router === null ? [payText.unbound] : []),
    ...returnedPayments(order),
  ];
  return (
    <Result tone="good" icon={<CheckCircleFilled />} title={titleOf(order)} lines={lines}>
      {isBulk && <Link to={paths.productKeys}>{payText.toKeys}</Link>}
    </Result>
  );
}

type ResultProps = { tone: 'good' | 'muted'; icon: ReactNode; title: string; lines: string[]; children?: ReactNode };

function Result({ tone, icon, title, lines, children }: ResultProps) {
  return (
    <div className={styles.result} data-tone={tone}>
      <span className={styles.resultIcon} aria-hidden>
        {icon}
      </span>
      <strong className={styles.resultTitle}>{title}</strong>
      {lines.map((line, n) => (
        <p key={n}>{line}</p>
      ))}
      {children}
    </div>
  );
}
