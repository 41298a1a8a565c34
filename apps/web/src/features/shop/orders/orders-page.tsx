import { Button } from 'antd';
import type { Order, OrderStatus } from '@tongtu/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../routing/paths.ts';
import { momentText } from '../../../text/moment-text.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { ordersText, orderWords } from '../../../text/shop/orders.ts';
import { Mono } from '../../../ui/mono.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Pages } from '../../../ui/page/pages.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { Loaded } from '../loaded.tsx';
import { PayDialog } from '../pay/pay-dialog.tsx';
import styles from '../shop.module.css';
import { pageSize, useCancelOrder, useOrders } from '../use-orders.ts';
import { WithBilling } from '../with-billing.tsx';
import { OrderDialog } from './order-dialog.tsx';

const tones: Record<OrderStatus, StateTone> = { open: 'caution', paid: 'good', closed: 'muted', refunded: 'muted' };

type OpenOrder = { type: 'pay' | 'details'; order: Order };

export function OrdersPage() {
  return (
    <WithBilling>
      <Orders />
    </WithBilling>
  );
}

function Orders() {
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<OpenOrder>();
  const orders = useOrders(page);
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <h1>{ordersText.title}</h1>
        <nav className={styles.links} aria-label={ordersText.title}>
          <Link to={paths.plans}>{ordersText.toPlans}</Link>
        </nav>
      </div>
      <section className={styles.panel} aria-label={ordersText.title}>
        <Loaded query={orders} failed={ordersText.failed}>
          {({ count, results }) =>
            count === 0 ? (
              <EmptyState
                title={ordersText.empty}
                text={ordersText.emptyText}
                action={<Link to={paths.plans}>{ordersText.toPlans}</Link>}
              />
            ) : (
              <ul className={styles.list}>
                {results.map((order) => (
                  <OrderRow key={order.id} order={order} onOpen={(type) => setOpened({ type, order })} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      <Pages label={ordersText.pages} page={page} pageSize={pageSize} count={orders.data?.count} onChange={setPage} />
      {opened?.type === 'pay' && <PayDialog order={opened.order} onClose={() => setOpened(undefined)} />}
      {opened?.type === 'details' && <OrderDialog order={opened.order} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function OrderRow({ order, onOpen }: { order: Order; onOpen: (type: OpenOrder['type']) => void }) {
  const { number, status, kind, product, closes_at: closesAt } = order;
  return (
    <li className={styles.row} aria-label={number}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{product.name}</strong>
          <span>{orderWords.kind[kind]}</span>
          <StateTag tone={tones[status]}>{orderWords.status[status]}</StateTag>
        </div>
        <div className={styles.facts}>
          <strong>{yuanText(order.amount_fen)}</strong>
          {kind === 'bulk' && <span>{ordersText.quantity(order.quantity)}</span>}
          {order.refunded_fen > 0 && <span>{ordersText.partlyRefunded(yuanText(order.refunded_fen))}</span>}
          <span>{momentText(order.created_at)}</span>
          <Mono>{number}</Mono>
        </div>
        {closesAt !== null && <div className={styles.facts}>{ordersText.closesAt(momentText(closesAt))}</div>}
      </div>
      <div className={styles.actions}>
        {status === 'open' && (
          <>
            <Button type="primary" aria-label={ordersText.payLabel(number)} onClick={() => onOpen('pay')}>
              {ordersText.pay}
            </Button>
            <CancelButton order={order} />
          </>
        )}
        <Button aria-label={ordersText.detailsLabel(number)} onClick={() => onOpen('details')}>
          {ordersText.details}
        </Button>
      </div>
    </li>
  );
}

function CancelButton({ order }: { order: Order }) {
  const cancel = useCancelOrder();
  return (
    <ConfirmedButton
      question={{
        title: ordersText.cancelTitle,
        text: ordersText.cancelText,
        confirm: ordersText.cancel,
        cancel: ordersText.keep,
      }}
      run={() => cancel.mutateAsync(order.id)}
      isRunning={cancel.isPending}
      done={ordersText.cancelled}
      aria-label={ordersText.cancelLabel(order.number)}
    />
  );
}
