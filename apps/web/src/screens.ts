/** The screens that are loaded when they are first shown. */
export const screens = {
  check: () => import('./features/check/check-page.tsx'),
  login: () => import('./features/login/login-page.tsx'),
  errorport: () => import('./features/errorport/errorport-page.tsx'),
  devices: () => import('./features/devices/devices-page.tsx'),
  /** A dialog as large as a screen: its calendars weigh as much as the devices it stands above. */
  mappingDialog: () => import('./features/devices/mapping-dialog/mapping-dialog.tsx'),
  records: () => import('./features/records/records-page.tsx'),
  announcements: () => import('./features/announcements/announcements-page.tsx'),
  announcementEditor: () => import('./features/announcements/announcement-editor.tsx'),
  userInfo: () => import('./features/account/user-info-page.tsx'),
};

/** Safari has no idle callback; by then the first screen stands. */
const safariDelayMs = 2000;

/** Loads the other screens while nothing else is to do, so that they open at once, and without a network too. */
export function prefetchScreens(): void {
  function prefetch() {
    // A screen that does not come now is asked for again when it is shown.
    for (const load of Object.values(screens)) void load().catch(() => undefined);
  }
  if ('requestIdleCallback' in window) window.requestIdleCallback(prefetch);
  else setTimeout(prefetch, safariDelayMs);
}
