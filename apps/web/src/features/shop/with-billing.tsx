import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { useSiteConfig } from '../../api/index.ts';
import { paths } from '../../routing/paths.ts';
import { PageSkeleton } from '../../ui/page/page-skeleton.tsx';

/** A screen of the shop, which does not exist where billing is off. */
export function WithBilling({ children }: { children: ReactNode }) {
  const site = useSiteConfig();
  if (site === undefined) return <PageSkeleton />;
  return site.billing === 'on' ? children : <Navigate to={paths.home} replace />;
}
