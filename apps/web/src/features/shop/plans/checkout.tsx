import { Button } from 'antd';
import type { Order, OrderCreate } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { errorCode, errorText } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import { sharedText } from '../../../text/shared.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { checkoutText } from '../../../text/shop/plans.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { AcceptTerms } from '../accept-terms.tsx';
import styles from '../shop.module.css';
import { useCreateOrder } from '../use-orders.ts';
import { useContentUuid } from '../use-content-uuid.ts';
import { usePaymentTerms } from '../use-payment-terms.ts';

export type CheckoutProps = { onOrdered: (order: Order) => void; onClose: () => void };

type Props = CheckoutProps & {
  title: string;
  /** Without the uuid. Undefined: this is not for sale any more. */
  order:
    | (Omit<OrderCreate, 'uuid_from_client' | 'kind'> & { kind: 'new' | 'renew' | 'upgrade'; amount_fen: number })
    | undefined;
  /** Why it cannot be ordered as chosen. */
  obstacle?: string | undefined;
  children: ReactNode;
};

/** The end of each purchase: the exact price, the terms of payment, and the order. */
export function Checkout({ title, order, obstacle, children, onOrdered, onClose }: Props) {
  const create = useCreateOrder();
  const uuidOf = useContentUuid();
  const terms = usePaymentTerms({ amountFen: order?.amount_fen ?? 0, error: create.error });
  const toast = useToast();
  const submit = useSubmit({
    send: (body: NonNullable<Props['order']>) =>
      terms.send(() => create.mutateAsync({ ...body, uuid_from_client: uuidOf(body) })),
    onSuccess: onOrdered,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  if (order === undefined)
    return (
      <Dialog title={title} footer={<Button onClick={onClose}>{sharedText.close}</Button>} onClose={onClose}>
        <p>{checkoutText.unavailable}</p>
      </Dialog>
    );
  return (
    <Dialog
      title={title}
      width={480}
      okText={order.amount_fen === 0 ? checkoutText.take : checkoutText.submit(yuanText(order.amount_fen))}
      okButtonProps={{ disabled: obstacle !== undefined }}
      confirmLoading={create.isPending}
      hasUnsavedInput={nothingToKeep}
      onOk={() => {
        if (terms.check()) void submit(order);
      }}
      onClose={onClose}
    >
      <div className={styles.form}>
        {children}
        {obstacle !== undefined && (
          <p role="alert" className={styles.missing}>
            {obstacle}
          </p>
        )}
        <div className={styles.total}>
          <span>{checkoutText.amount}</span>
          <strong>{yuanText(order.amount_fen)}</strong>
        </div>
        {terms.isNeeded && (
          <AcceptTerms isAccepted={terms.isAccepted} isMissing={terms.isMissing} onChange={terms.change} />
        )}
      </div>
      <Problem error={create.error ?? terms.error} />
      {errorCode(create.error) === 'order.too-many-open' && <Link to={paths.orders}>{checkoutText.toOrders}</Link>}
    </Dialog>
  );
}
