import { Radio } from 'antd';
import type { Plan } from '@tongtu/contract';
import { useState } from 'react';
import { momentText } from '../../../text/moment-text.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { checkoutText, plansText } from '../../../text/shop/plans.ts';
import styles from '../shop.module.css';
import { TermsList } from '../terms-list.tsx';
import { Checkout, type CheckoutProps } from './checkout.tsx';

/** Another product for the rest of a plan, at the difference of the prices. */
export function UpgradeDialog({ plan, ...rest }: CheckoutProps & { plan: Plan | undefined }) {
  const [chosen, setChosen] = useState<number>();
  const upgrade = plan?.upgrades.find(({ product }) => product.id === chosen) ?? plan?.upgrades[0];
  return (
    <Checkout
      title={checkoutText.titles.upgrade}
      order={
        plan && upgrade
          ? { kind: 'upgrade', product_id: upgrade.product.id, parent: plan.id, amount_fen: upgrade.amount_fen }
          : undefined
      }
      {...rest}
    >
      {plan && upgrade && (
        <>
          <div>
            <strong>{plan.product.name}</strong>
            <p className={styles.quiet}>{plansText.ends(momentText(plan.ends_at))}</p>
          </div>
          <Radio.Group
            aria-label={checkoutText.upgradeTo}
            value={upgrade.product.id}
            className={styles.options ?? ''}
            options={plan.upgrades.map(({ product, amount_fen: fen }) => ({
              value: product.id,
              label: `${product.name}（${yuanText(fen)}）`,
            }))}
            onChange={(event) => setChosen(Number(event.target.value))}
          />
          <TermsList terms={upgrade.product} />
          <p className={styles.quiet}>{checkoutText.upgradeRule}</p>
        </>
      )}
    </Checkout>
  );
}
