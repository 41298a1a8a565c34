import { Select } from 'antd';
import type { Plan, Product } from '@tongtu/contract';
import { useId, useState } from 'react';
import { useDevices } from '../../../api/index.ts';
import { priceTexts } from '../../../text/shop/money.ts';
import { checkoutText } from '../../../text/shop/plans.ts';
import { findLikelyDevice } from '../find-likely-device.ts';
import styles from '../shop.module.css';
import { TermsList } from '../terms-list.tsx';
import { Checkout, type CheckoutProps } from './checkout.tsx';

/** Stands for no device, which a select cannot have as value. */
const noDevice = 0;

type BuyDialogProps = CheckoutProps & {
  product: Product | undefined;
  plans: readonly Plan[];
  wantedDevice: number | undefined;
};

/** A new plan, for a device or for later. */
export function BuyDialog({ product, plans, wantedDevice, ...rest }: BuyDialogProps) {
  const id = useId();
  const devices = useDevices();
  const [chosen, setChosen] = useState(wantedDevice);
  const device = chosen ?? findLikelyDevice(devices.data) ?? noDevice;
  const present = plans.find(({ router }) => router === device);
  const isFree = product?.price_fen === 0;
  const isReplaced = present?.is_free === true && !isFree;
  return (
    <Checkout
      title={isFree ? checkoutText.titles.free : checkoutText.titles.new}
      order={
        product && {
          kind: 'new',
          product_id: product.id,
          amount_fen: product.price_fen,
          ...(device === noDevice ? {} : { router: device }),
        }
      }
      obstacle={present && !isReplaced ? checkoutText.hasPlan : undefined}
      {...rest}
    >
      {product && (
        <div>
          <strong>{product.name}</strong> {isFree ? checkoutText.freeFor(product.days) : priceTexts(product).whole}
          <TermsList terms={product} />
          {isFree && <p className={styles.quiet}>{checkoutText.freeHint}</p>}
        </div>
      )}
      <div className={styles.field}>
        <label htmlFor={id}>{checkoutText.device}</label>
        <Select<number>
          id={id}
          value={device}
          loading={devices.isPending}
          options={[
            { value: noDevice, label: checkoutText.noDevice },
            ...(devices.data ?? []).map((each) => ({ value: each.id, label: each.name })),
          ]}
          onChange={setChosen}
        />
        {devices.isError && <p className={styles.quiet}>{checkoutText.devicesFailed}</p>}
        {isReplaced && <p className={styles.quiet}>{checkoutText.replacesFree}</p>}
      </div>
    </Checkout>
  );
}
