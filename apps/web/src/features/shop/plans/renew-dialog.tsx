import type { Plan } from '@tongtu/contract';
import { momentText } from '../../../text/moment-text.ts';
import { checkoutText, plansText } from '../../../text/shop/plans.ts';
import styles from '../shop.module.css';
import { Checkout, type CheckoutProps } from './checkout.tsx';

/** More time for a plan. */
export function RenewDialog({ plan, ...rest }: CheckoutProps & { plan: Plan | undefined }) {
  const renewal = plan?.renewal;
  return (
    <Checkout
      title={checkoutText.titles.renew}
      order={
        plan && renewal
          ? { kind: 'renew', product_id: plan.product.id, parent: plan.id, amount_fen: renewal.amount_fen }
          : undefined
      }
      {...rest}
    >
      {plan && renewal && (
        <div>
          <strong>{plan.product.name}</strong>
          <p className={styles.quiet}>{plansText.ends(momentText(plan.ends_at))}</p>
          <p>{checkoutText.newEnd(momentText(renewal.ends_at))}</p>
          <p className={styles.quiet}>{checkoutText.newTime}</p>
        </div>
      )}
    </Checkout>
  );
}
