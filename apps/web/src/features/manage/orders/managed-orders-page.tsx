import { Button, Select } from 'antd';
import type { ManagedOrder, OrderKind, OrderStatus } from '@tongtu/contract';
import { useState } from 'react';
import { momentText } from '../../../text/moment-text.ts';
import { managedOrdersText } from '../../../text/management/orders.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { orderWords } from '../../../text/shop/orders.ts';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import { ManageFrame } from '../frame/manage-frame.tsx';
import { ManagedList } from '../frame/managed-list.tsx';
import { useListState } from '../frame/use-list-state.ts';
import styles from '../frame/frame.module.css';
import { ManagedOrderDialog } from './managed-order-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { useManagedOrders } from './use-managed-orders.ts';

type Filters = { search: string; status: OrderStatus | undefined; kind: OrderKind | undefined };
type Opened = { type: 'details' | 'refund'; order: ManagedOrder };

const tones: Record<OrderStatus, StateTone> = { open: 'caution', paid: 'good', closed: 'muted', refunded: 'muted' };
const statuses = Object.keys(orderWords.status) as OrderStatus[]; // the table's keys are the states
const kinds = Object.keys(orderWords.kind) as OrderKind[]; // the table's keys are the kinds

/** For staff: all orders. */
export function ManagedOrdersPage() {
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <ManageFrame title={managedOrdersText.title} isOfShop>
      <Orders onOpen={setOpened} />
      {opened?.type === 'details' && <ManagedOrderDialog order={opened.order} onClose={close} />}
      {opened?.type === 'refund' && <RefundDialog order={opened.order} onClose={close} />}
    </ManageFrame>
  );
}

function Orders({ onOpen }: { onOpen: (opened: Opened) => void }) {
  const { filters, setFilters, page, setPage, range } = useListState<Filters>({
    search: '',
    status: undefined,
    kind: undefined,
  });
  const { search, status, kind } = filters;
  const query = useManagedOrders({
    ...range,
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(status !== undefined && { status }),
    ...(kind !== undefined && { kind }),
  });
  return (
    <ManagedList
      title={managedOrdersText.title}
      failed={managedOrdersText.failed}
      count={managedOrdersText.count}
      query={query}
      page={page}
      onPage={setPage}
      search={{ label: managedOrdersText.search, value: search, onChange: (text) => setFilters({ search: text }) }}
      filters={
        <>
          <Select<OrderStatus>
            allowClear
            aria-label={managedOrdersText.status}
            placeholder={managedOrdersText.everyStatus}
            options={statuses.map((value) => ({ value, label: orderWords.status[value] }))}
            onChange={(value: OrderStatus | undefined) => setFilters({ status: value })}
          />
          <Select<OrderKind>
            allowClear
            aria-label={managedOrdersText.kind}
            placeholder={managedOrdersText.everyKind}
            options={kinds.map((value) => ({ value, label: orderWords.kind[value] }))}
            onChange={(value: OrderKind | undefined) => setFilters({ kind: value })}
          />
        </>
      }
    >
      {(order) => <OrderRow key={order.id} order={order} onOpen={onOpen} />}
    </ManagedList>
  );
}

function OrderRow({ order, onOpen }: { order: ManagedOrder; onOpen: (opened: Opened) => void }) {
  const { number, status, kind, product, user } = order;
  return (
    <li className={styles.row} aria-label={number}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{product.name}</strong>
          <span>{orderWords.kind[kind]}</span>
          <strong>{yuanText(order.amount_fen)}</strong>
          <StateTag tone={tones[status]}>{orderWords.status[status]}</StateTag>
        </div>
        <div className={styles.facts}>
          <bdi>{user?.username ?? managedOrdersText.noUser}</bdi>
          {order.refunded_fen > 0 && <span>{managedOrdersText.refunded(yuanText(order.refunded_fen))}</span>}
          <span>{momentText(order.created_at)}</span>
          <Mono>{number}</Mono>
        </div>
      </div>
      <div className={styles.actions}>
        {status === 'paid' && order.amount_fen > order.refunded_fen && (
          <Button aria-label={managedOrdersText.refundLabel(number)} onClick={() => onOpen({ type: 'refund', order })}>
            {managedOrdersText.refund}
          </Button>
        )}
        <Button aria-label={managedOrdersText.detailsLabel(number)} onClick={() => onOpen({ type: 'details', order })}>
          {managedOrdersText.details}
        </Button>
      </div>
    </li>
  );
}
