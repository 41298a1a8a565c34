import type { RouteObject } from 'react-router';
import { Root } from '../root.tsx';
import { createLoaders, type LoaderDeps } from './route-loaders.ts';
import { RouteError, ScreenError } from './route-error.tsx';
import { LoginPage, StartScreen } from './start-screen.tsx';
import { screens } from './screens.ts';
import { routeTitles } from '../text/routes.ts';
import { PageSkeleton } from '../ui/page/page-skeleton.tsx';

const always = () => true;

/** All routes of the specification that have a screen. Any other path redirects home. */
export function createRoutes(deps: LoaderDeps): RouteObject[] {
  const loaders = createLoaders(deps);
  return [
    {
      Component: Root,
      ErrorBoundary: RouteError,
      HydrateFallback: PageSkeleton,
      children: [
        {
          path: 'check',
          handle: { title: routeTitles.check },
          Component: StartScreen,
        },
        {
          path: 'login',
          handle: { title: routeTitles.login },
          loader: loaders.login,
          Component: LoginPage,
        },
        {
          path: 'join',
          handle: { title: routeTitles.join },
          loader: loaders.join,
          lazy: async () => ({ Component: (await screens.join()).JoinPage }),
        },
        {
          path: 'errorport',
          handle: { title: routeTitles.errorport },
          loader: loaders.errorport,
          lazy: async () => ({ Component: (await screens.errorport()).ErrorportPage }),
        },
        {
          path: 'apps/:id',
          handle: { title: routeTitles.app },
          loader: loaders.home,
          lazy: async () => ({ Component: (await screens.appPage()).AppPage }),
        },
        {
          path: 'wake/:id',
          handle: { title: routeTitles.wake },
          loader: loaders.home,
          lazy: async () => ({
            Component: (await import('../features/cloud-apps/waking/wake-page.tsx')).WakePage,
          }),
        },
        {
          path: '/',
          handle: { title: routeTitles.home },
          loader: loaders.home,
          // Navigation between children must run the loader again, or '/' itself would stay blank.
          shouldRevalidate: always,
          lazy: async () => ({ Component: (await import('../console.tsx')).Console }),
          children: [
            { index: true, element: null },
            {
              ErrorBoundary: ScreenError,
              children: [
                {
                  path: 'devices',
                  handle: { title: routeTitles.devices },
                  lazy: async () => ({ Component: (await screens.devices()).DevicesPage }),
                },
                {
                  path: 'devices/:id/lan',
                  handle: { title: routeTitles.lan },
                  lazy: async () => ({ Component: (await screens.lanPage()).LanPage }),
                },
                {
                  path: 'statistics',
                  handle: { title: routeTitles.statistics },
                  lazy: async () => ({ Component: (await screens.statistics()).StatisticsPage }),
                },
                {
                  path: 'record',
                  handle: { title: routeTitles.records },
                  lazy: async () => ({ Component: (await screens.records()).RecordsPage }),
                },
                {
                  path: 'visits/:id',
                  handle: { title: routeTitles.visits },
                  lazy: async () => ({ Component: (await screens.visits()).VisitsPage }),
                },
                {
                  path: 'announcements',
                  handle: { title: routeTitles.announcements },
                  lazy: async () => ({ Component: (await screens.announcements()).AnnouncementsPage }),
                },
                {
                  path: 'manage/users',
                  handle: { title: routeTitles.users },
                  lazy: async () => ({ Component: (await screens.users()).UsersPage }),
                },
                {
                  path: 'manage/products',
                  handle: { title: routeTitles.managedProducts },
                  lazy: async () => ({ Component: (await screens.managedProducts()).ManagedProductsPage }),
                },
                {
                  path: 'manage/orders',
                  handle: { title: routeTitles.managedOrders },
                  lazy: async () => ({ Component: (await screens.managedOrders()).ManagedOrdersPage }),
                },
                {
                  path: 'manage/devices',
                  handle: { title: routeTitles.managedDevices },
                  lazy: async () => ({ Component: (await screens.managedDevices()).ManagedDevicesPage }),
                },
                {
                  path: 'manage/site',
                  handle: { title: routeTitles.siteEntries },
                  lazy: async () => ({ Component: (await screens.siteEntries()).SiteEntriesPage }),
                },
                {
                  path: 'manage/audit',
                  handle: { title: routeTitles.audit },
                  lazy: async () => ({ Component: (await screens.audit()).AuditPage }),
                },
                {
                  path: 'manage/jobs',
                  handle: { title: routeTitles.jobs },
                  lazy: async () => ({ Component: (await screens.jobs()).JobsPage }),
                },
                {
                  path: 'manage/ledger',
                  handle: { title: routeTitles.ledger },
                  lazy: async () => ({ Component: (await screens.ledger()).LedgerPage }),
                },
                {
                  path: 'plans',
                  handle: { title: routeTitles.plans },
                  lazy: async () => ({ Component: (await screens.plans()).PlansPage }),
                },
                {
                  path: 'orders',
                  handle: { title: routeTitles.orders },
                  lazy: async () => ({ Component: (await screens.orders()).OrdersPage }),
                },
                {
                  path: 'productos',
                  handle: { title: routeTitles.productKeys },
                  lazy: async () => ({ Component: (await screens.productKeys()).ProductKeysPage }),
                },
                {
                  path: 'invite',
                  handle: { title: routeTitles.invite },
                  lazy: async () => ({ Component: (await screens.invite()).InvitePage }),
                },
                {
                  path: 'playersare',
                  handle: { title: routeTitles.community },
                  lazy: async () => ({ Component: (await screens.community()).CommunityPage }),
                },
                {
                  path: 'user/info',
                  handle: { title: routeTitles.userInfo },
                  lazy: async () => ({ Component: (await screens.userInfo()).UserInfoPage }),
                },
              ],
            },
          ],
        },
        { path: '*', loader: loaders.unknown, element: null },
      ],
    },
  ];
}
