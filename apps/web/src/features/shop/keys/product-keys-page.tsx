import { Tabs } from 'antd';
import { hasRole } from '@tongtu/contract/roles';
import { Link, useSearchParams } from 'react-router';
import { useProfile } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import { productKeysText } from '../../../text/shop/keys.ts';
import styles from '../shop.module.css';
import { WithBilling } from '../with-billing.tsx';
import { BulkView } from './bulk/bulk-view.tsx';
import { KeysView } from './list/keys-view.tsx';
import { PlacesView } from './places/places-view.tsx';
import { RedeemView } from './redeem/redeem-view.tsx';

const views = ['redeem', 'places', 'keys', 'bulk'] as const;
type View = (typeof views)[number];

const contents: Record<View, () => React.ReactNode> = {
  redeem: () => <RedeemView />,
  places: () => <PlacesView />,
  keys: () => <KeysView />,
  bulk: () => <BulkView />,
};

/** Everybody redeems keys here; promoters and staff manage those that they sell. */
export function ProductKeysPage() {
  return (
    <WithBilling>
      <ProductKeys />
    </WithBilling>
  );
}

function ProductKeys() {
  const profile = useProfile();
  const [query, setQuery] = useSearchParams();
  if (!profile) return null;
  const mayManageKeys = hasRole(profile, 'management');
  const wanted = views.find((view) => view === query.get('view')) ?? 'redeem';
  const view = mayManageKeys ? wanted : 'redeem';
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <h1>{productKeysText.title}</h1>
        <nav className={styles.links} aria-label={productKeysText.title}>
          <Link to={paths.plans}>{productKeysText.plans}</Link>
          <Link to={paths.orders}>{productKeysText.orders}</Link>
        </nav>
      </div>
      {mayManageKeys && (
        <Tabs
          items={views.map((key) => ({ key, label: productKeysText.views[key] }))}
          activeKey={view}
          onChange={(key) => setQuery(key === 'redeem' ? {} : { view: key })}
        />
      )}
      {contents[view]()}
    </div>
  );
}
