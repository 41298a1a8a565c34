/** Screens are loaded when they are first shown. */
export const screens = {
  check: () => import('./features/check/check-page.tsx'),
  login: () => import('./features/login/login-page.tsx'),
  join: () => import('./features/login/join/join-page.tsx'),
  errorport: () => import('./features/errorport/errorport-page.tsx'),
  devices: () => import('./features/devices/devices-page.tsx'),
  /** This dialog is loaded separately: its calendars are as large as the devices screen behind it. */
  mappingDialog: () => import('./features/devices/mapping-dialog/mapping-dialog.tsx'),
  records: () => import('./features/records/records-page.tsx'),
  announcements: () => import('./features/announcements/announcements-page.tsx'),
  announcementEditor: () => import('./features/announcements/announcement-editor.tsx'),
  users: () => import('./features/manage/users-page.tsx'),
  userInfo: () => import('./features/account/user-info-page.tsx'),
};

/** Safari has no idle callback. After this delay the first screen has usually been drawn. */
const safariDelayMs = 2000;

/** Prefetches the other screens when the browser is idle, so that they open at once, even without a network. */
export function prefetchScreens(): void {
  function prefetch() {
    // A screen that fails to load here is requested again when it is shown.
    for (const load of Object.values(screens)) void load().catch(() => undefined);
  }
  if ('requestIdleCallback' in window) window.requestIdleCallback(prefetch);
  else setTimeout(prefetch, safariDelayMs);
}
