import { Button } from 'antd';
import type { Order, Plan, Product } from '@tongtu/contract';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useDevices } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import { inviteText } from '../../../text/shop/invite.ts';
import { plansText } from '../../../text/shop/plans.ts';
import { Loaded } from '../loaded.tsx';
import { PayDialog } from '../pay/pay-dialog.tsx';
import styles from '../shop.module.css';
import { useProducts } from '../use-catalogue.ts';
import { usePlans } from '../use-orders.ts';
import { WithBilling } from '../with-billing.tsx';
import { BindDialog } from './bind-dialog.tsx';
import { BuyDialog } from './buy-dialog.tsx';
import { OwnPlan } from './own-plan.tsx';
import type { PlansDialog } from './plans-dialog.ts';
import { ProductCard } from './product-card.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { UpgradeDialog } from './upgrade-dialog.tsx';

/** What is for sale, and one's own plans: `?router=` is the device that a plan is wanted for. */
export function PlansPage() {
  return (
    <WithBilling>
      <Plans />
    </WithBilling>
  );
}

function Plans() {
  const [dialog, setDialog] = useState<PlansDialog>();
  const [query] = useSearchParams();
  const wantedId = Number(query.get('router'));
  const wanted = useDevices().data?.find(({ id }) => id === wantedId);
  const products = useProducts();
  const plans = usePlans();
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <h1>{plansText.title}</h1>
        <nav className={styles.links} aria-label={plansText.title}>
          <Link to={paths.orders}>{plansText.orders}</Link>
          <Link to={paths.productKeys}>{plansText.keys}</Link>
          <Link to={paths.invite}>{inviteText.title}</Link>
        </nav>
      </div>
      <section className={styles.panel} aria-labelledby="own-plans">
        <h2 id="own-plans" className={styles.panelTitle}>
          {plansText.own}
        </h2>
        <Loaded query={plans} failed={plansText.ownFailed}>
          {(list) => <OwnPlans plans={list} wantedDevice={wanted?.id} onOpen={setDialog} />}
        </Loaded>
      </section>
      <section aria-labelledby="products">
        <h2 id="products" className={styles.panelTitle}>
          {wanted ? plansText.forDevice(wanted.name) : plansText.choose}
        </h2>
        {wanted && <WantedNote name={wanted.name} plan={plans.data?.find(({ router }) => router === wanted.id)} />}
        <Loaded query={products} failed={plansText.productsFailed}>
          {(list) => <Products products={list} onOpen={setDialog} />}
        </Loaded>
      </section>
      <OpenDialog
        dialog={dialog}
        products={products.data ?? []}
        plans={plans.data ?? []}
        wantedDevice={wanted?.id}
        onOpen={setDialog}
      />
    </div>
  );
}

function WantedNote({ name, plan }: { name: string; plan: Plan | undefined }) {
  return (
    <p className={styles.note}>
      {plan && !plan.is_free && plansText.hasPlan(name, plan.product.name)}{' '}
      <Link to={paths.plans}>{plansText.everything}</Link>
    </p>
  );
}

type OnOpen = (dialog: PlansDialog | undefined) => void;

type OwnPlansProps = { plans: readonly Plan[]; wantedDevice: number | undefined; onOpen: OnOpen };

function OwnPlans({ plans, wantedDevice, onOpen }: OwnPlansProps) {
  if (plans.length === 0) return <p className={styles.quiet}>{plansText.noPlan}</p>;
  return (
    <ul className={styles.list}>
      {plans.map((plan) => (
        <OwnPlan
          key={plan.id}
          plan={plan}
          isWanted={wantedDevice !== undefined && plan.router === wantedDevice}
          onOpen={onOpen}
        />
      ))}
    </ul>
  );
}

function Products({ products, onOpen }: { products: readonly Product[]; onOpen: OnOpen }) {
  if (products.length === 0) return <p className={styles.quiet}>{plansText.noProducts}</p>;
  return (
    <ul className={styles.products}>
      {products.map((product) => (
        <ProductCard key={product.id} product={product}>
          <Button
            type={product.price_fen === 0 ? 'default' : 'primary'}
            aria-label={product.price_fen === 0 ? plansText.takeLabel(product.name) : plansText.buyLabel(product.name)}
            onClick={() => onOpen({ type: 'buy', product: product.id })}
          >
            {product.price_fen === 0 ? plansText.take : plansText.buy}
          </Button>
        </ProductCard>
      ))}
    </ul>
  );
}

type OpenDialogProps = {
  dialog: PlansDialog | undefined;
  products: readonly Product[];
  plans: readonly Plan[];
  wantedDevice: number | undefined;
  onOpen: OnOpen;
};

function OpenDialog({ dialog, products, plans, wantedDevice, onOpen }: OpenDialogProps) {
  const onClose = () => onOpen(undefined);
  const onOrdered = (order: Order) => onOpen({ type: 'pay', order });
  switch (dialog?.type) {
    case undefined:
      return null;
    case 'buy':
      return (
        <BuyDialog
          product={products.find(({ id }) => id === dialog.product)}
          plans={plans}
          wantedDevice={wantedDevice}
          onOrdered={onOrdered}
          onClose={onClose}
        />
      );
    case 'renew':
      return <RenewDialog plan={plans.find(({ id }) => id === dialog.plan)} onOrdered={onOrdered} onClose={onClose} />;
    case 'upgrade':
      return (
        <UpgradeDialog plan={plans.find(({ id }) => id === dialog.plan)} onOrdered={onOrdered} onClose={onClose} />
      );
    case 'bind': {
      const plan = plans.find(({ id }) => id === dialog.plan);
      return plan ? <BindDialog plan={plan} onClose={onClose} /> : null;
    }
    case 'pay':
      return <PayDialog order={dialog.order} onClose={onClose} />;
  }
}
