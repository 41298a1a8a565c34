import { useEffect, useState } from 'react';
import { loadScript, useApi, useSiteConfig } from '../../api/index.ts';
import { forgetCountdowns } from '../../ui/time/countdown-notes.ts';

/** Specification §9. */
const logoutDelayMs = 1000;

/** Back may show a page that the browser has kept as it was left. It would say for ever that it is logging out. */
function reloadIfKept({ persisted }: PageTransitionEvent): void {
  if (persisted) window.location.reload();
}

/** Specification §4: informs the single sign-on host, and opens the server's /custom/logout after one second. */
export function useLogout() {
  const { logoutUrl } = useApi();
  const ssoUrl = useSiteConfig()?.sso_url;
  const [isLoggingOut, setIsLoggingOut] = useState(false);
  useEffect(() => {
    if (!isLoggingOut) return undefined;
    window.addEventListener('pageshow', reloadIfKept);
    return () => window.removeEventListener('pageshow', reloadIfKept);
  }, [isLoggingOut]);

  function logOut() {
    forgetCountdowns();
    // Computed now: a second later the console may show no user.
    const leavingTo = logoutUrl();
    setIsLoggingOut(true);
    // The timer belongs to the window, so that leaving this screen does not stop the logout.
    setTimeout(() => window.location.assign(leavingTo), logoutDelayMs);
    if (typeof ssoUrl !== 'string') return;
    // The session ends even if the host fails (specification §8: only logged).
    loadScript(`${ssoUrl}/wechat/logout`).catch((error: unknown) => {
      // oxlint-disable-next-line no-console -- the browser console is the only log here
      console.error(error);
    });
  }
  return { isLoggingOut, logOut };
}
