import { Alert, Button, Segmented, Spin } from 'antd';
import type { Order, PaymentProviderId } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { momentText } from '../../../text/moment-text.ts';
import { ordersText, payText, providerWords } from '../../../text/shop/orders.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { useCancelOrder, useStartPayment } from '../use-orders.ts';
import styles from './pay.module.css';
import { PayCode } from './pay-code.tsx';
import { returnedPayments } from './returned-payments.ts';

/** How to pay an order: the provider, its QR code, and the way out. */
export function OpenOrder({ order }: { order: Order }) {
  const start = useStartPayment(order.id);
  const chosen = start.isPending ? start.variables : (order.pay?.provider ?? start.variables ?? order.providers[0]);
  return (
    <div className={styles.open}>
      {returnedPayments(order).map((sentence, n) => (
        <Alert key={n} type="warning" showIcon title={sentence} />
      ))}
      <dl className={styles.amount}>
        <dt>{payText.amount}</dt>
        <dd>{yuanText(order.amount_fen)}</dd>
      </dl>
      {order.providers.length > 1 && chosen !== undefined && (
        <Segmented<PaymentProviderId>
          block
          aria-label={payText.provider}
          value={chosen}
          disabled={start.isPending}
          options={order.providers.map((value) => ({ value, label: providerWords[value] }))}
          onChange={(provider) => start.mutate(provider)}
        />
      )}
      {chosen === undefined ? (
        <Alert type="warning" showIcon title={payText.noProvider} />
      ) : (
        <Code order={order} provider={chosen} start={start} />
      )}
      <p className={styles.quiet}>{order.closes_at !== null && payText.closesAt(momentText(order.closes_at))}</p>
      <CancelButton order={order} />
    </div>
  );
}

type CodeProps = { order: Order; provider: PaymentProviderId; start: ReturnType<typeof useStartPayment> };

function Code({ order, provider, start }: CodeProps) {
  const refresh = () => start.mutate(provider);
  if (start.isPending) return <Spin className={styles.wait ?? ''} />;
  if (order.pay?.provider !== provider || start.isError)
    return (
      <Alert
        type="warning"
        showIcon
        title={payText.unavailable}
        description={start.isError ? errorText(start.error) : undefined}
        action={<Button onClick={refresh}>{payText.refresh}</Button>}
      />
    );
  return <PayCode pay={order.pay} onRefresh={refresh} />;
}

function CancelButton({ order }: { order: Order }) {
  const cancel = useCancelOrder();
  const confirm = useConfirm();
  const toast = useToast();
  const toastFailure = useFailureToast();
  function ask() {
    confirm({
      title: ordersText.cancelTitle,
      text: ordersText.cancelText,
      confirm: payText.cancel,
      cancel: ordersText.keep,
      onConfirm: () =>
        void cancel
          .mutateAsync(order.id)
          .then(({ status }) => status === 'closed' && toast.success(ordersText.cancelled))
          .catch(toastFailure),
    });
  }
  return (
    <Button type="link" size="small" loading={cancel.isPending} onClick={ask}>
      {payText.cancel}
    </Button>
  );
}
