import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { hasRole } from '@tongtu/contract/roles';
import { useProfile, useSiteConfig } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import styles from '../manage.module.css';
import { ManageNav } from './manage-nav.tsx';

type ManageFrameProps = {
  title: string;
  actions?: ReactNode;
  /** There is no such screen where billing is off. */
  isOfShop?: boolean;
  children: ReactNode;
};

/** What the screens of the management have in common. Nobody but staff sees them. */
export function ManageFrame({ title, actions, isOfShop = false, children }: ManageFrameProps) {
  const profile = useProfile();
  const site = useSiteConfig();
  if (!profile || (isOfShop && site === undefined)) return null;
  if (!hasRole(profile, 'staff') || (isOfShop && site?.billing !== 'on')) return <Navigate to={paths.home} replace />;
  return (
    <div className={styles.page}>
      <ManageNav />
      <div className={styles.pageHead}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={styles.headActions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
