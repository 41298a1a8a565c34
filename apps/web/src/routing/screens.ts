import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** Screens are loaded when they are first shown. */
export const screens = {
  join: () => import('../features/login/join/join-page.tsx'),
  errorport: () => import('../features/errorport/errorport-page.tsx'),
  devices: () => import('../features/devices/devices-page.tsx'),
  lanPage: () => import('../features/devices/lan/lan-page.tsx'),
  /** Dialogs are loaded separately: their forms and calendars are as large as the screen behind them. */
  mappingDialog: () => import('../features/devices/mapping-dialog/mapping-dialog.tsx'),
  addDeviceDialog: () => import('../features/devices/add-device/add-device-dialog.tsx'),
  bindDeviceDialog: () => import('../features/devices/add-device/bind-device-dialog.tsx'),
  connectionTestDialog: () => import('../features/devices/connection-test/connection-test-dialog.tsx'),
  sharingDialog: () => import('../features/devices/sharing/sharing-dialog.tsx'),
  clientWindowDialog: () => import('../features/devices/sharing/client-window-dialog.tsx'),
  allowListDialog: () => import('../features/devices/allow-list/allow-list-dialog.tsx'),
  deleteDeviceDialog: () => import('../features/devices/delete-device-dialog.tsx'),
  appList: () => import('../features/devices/cloud-apps/app-list.tsx'),
  appDialog: () => import('../features/devices/cloud-apps/app-dialog/app-dialog.tsx'),
  appMembersDialog: () => import('../features/devices/cloud-apps/app-members-dialog.tsx'),
  appSessionsDialog: () => import('../features/devices/cloud-apps/app-sessions-dialog.tsx'),
  appPage: () => import('../features/cloud-apps/app-page.tsx'),
  confirmDialog: () => import('../features/confirm/confirm-dialog.tsx'),
  visits: () => import('../features/visits/visits-page.tsx'),
  statistics: () => import('../features/statistics/statistics-page.tsx'),
  records: () => import('../features/records/records-page.tsx'),
  announcements: () => import('../features/announcements/announcements-page.tsx'),
  announcementEditor: () => import('../features/announcements/announcement-editor.tsx'),
  users: () => import('../features/manage/users-page.tsx'),
  managedProducts: () => import('../features/manage/products/products-page.tsx'),
  managedOrders: () => import('../features/manage/orders/managed-orders-page.tsx'),
  managedDevices: () => import('../features/manage/devices/managed-devices-page.tsx'),
  siteEntries: () => import('../features/manage/site/site-entries-page.tsx'),
  audit: () => import('../features/manage/audit/audit-page.tsx'),
  jobs: () => import('../features/manage/operation/jobs-page.tsx'),
  ledger: () => import('../features/manage/operation/ledger-page.tsx'),
  plans: () => import('../features/shop/plans/plans-page.tsx'),
  orders: () => import('../features/shop/orders/orders-page.tsx'),
  invite: () => import('../features/shop/invite/invite-page.tsx'),
  productKeys: () => import('../features/shop/keys/product-keys-page.tsx'),
  community: () => import('../features/community/community-page.tsx'),
  userInfo: () => import('../features/account/user-info-page.tsx'),
};

const allScreens = Object.values<() => Promise<unknown>>(screens);

/** The screen in front has what it needs when nothing was requested for this long. */
const quietMs = 1000;

/**
 * Prefetches the other screens once the first one is complete, so that they open at once, even without a network.
 * Requests of the screen in front go first.
 */
export function usePrefetchedScreens(loads: readonly (() => Promise<unknown>)[] = allScreens): void {
  const isQuiet = useIsFetching() === 0;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isQuiet || hasBegun.current) return undefined;
    const timer = setTimeout(() => {
      hasBegun.current = true;
      // A screen that fails to load here is requested again when it is shown, and not before: an old page would ask
      // for files of its version after each poll.
      for (const load of loads) void load().catch(() => undefined);
    }, quietMs);
    return () => clearTimeout(timer);
  }, [isQuiet, loads]);
}
