import { Alert, Button } from 'antd';
import type { Order } from '@tongtu/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { devicesKey } from '../../../api/index.ts';
import { payText } from '../../../text/shop/orders.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { ordersKey, useOrder } from '../use-orders.ts';
import { OpenOrder } from './open-order.tsx';
import { OrderResult } from './order-result.tsx';

type PayDialogProps = { order: Order; onClose: () => void };

/** Pays an order, and shows what came of it while it is open. It closes without a question: the order stays. */
export function PayDialog({ order: known, onClose }: PayDialogProps) {
  const query = useOrder(known);
  const { data: order } = query;
  useRefetchWhenSettled(order.status, known.status);
  const isOpen = order.status === 'open';
  return (
    <Dialog
      title={isOpen ? payText.title : payText.resultTitle}
      width={440}
      footer={
        <Button type={isOpen ? 'default' : 'primary'} onClick={onClose}>
          {isOpen ? payText.later : payText.done}
        </Button>
      }
      hasUnsavedInput={nothingToKeep}
      onClose={onClose}
    >
      {isOpen && query.isError && <Alert type="warning" showIcon title={payText.unreachable} />}
      <div aria-live="polite">{isOpen ? <OpenOrder order={order} /> : <OrderResult order={order} />}</div>
    </Dialog>
  );
}

/** A settled order changes plans, devices and the profile. */
function useRefetchWhenSettled(status: Order['status'], before: Order['status']): void {
  const queryClient = useQueryClient();
  const isSettled = status !== before;
  useEffect(() => {
    if (!isSettled) return;
    for (const queryKey of [ordersKey, devicesKey, ['profile']]) void queryClient.invalidateQueries({ queryKey });
  }, [isSettled, queryClient]);
}
