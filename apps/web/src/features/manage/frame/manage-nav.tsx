import { NavLink } from 'react-router';
import { useSiteConfig } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import { manageFrameText } from '../../../text/management/frame.ts';
import styles from './frame.module.css';

const places = [
  { to: paths.users, word: manageFrameText.users, isOfShop: false },
  { to: paths.managedDevices, word: manageFrameText.devices, isOfShop: false },
  { to: paths.managedProducts, word: manageFrameText.products, isOfShop: true },
  { to: paths.managedOrders, word: manageFrameText.orders, isOfShop: true },
  { to: paths.productKeys, word: manageFrameText.keys, isOfShop: true },
  { to: paths.ledger, word: manageFrameText.ledger, isOfShop: true },
  { to: paths.siteEntries, word: manageFrameText.siteEntries, isOfShop: false },
  { to: paths.audit, word: manageFrameText.audit, isOfShop: false },
  { to: paths.jobs, word: manageFrameText.jobs, isOfShop: false },
] as const;

/** The screens of the management; those of the shop only where billing is on. */
export function ManageNav() {
  const hasShop = useSiteConfig()?.billing === 'on';
  return (
    <nav className={styles.nav} aria-label={manageFrameText.nav}>
      {places
        .filter(({ isOfShop }) => hasShop || !isOfShop)
        .map(({ to, word }) => (
          <NavLink key={to} to={to} className={({ isActive }) => `${styles.place} ${isActive ? styles.active : ''}`}>
            {word}
          </NavLink>
        ))}
    </nav>
  );
}
