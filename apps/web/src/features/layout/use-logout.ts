import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { loadScript, siteConfigQuery, useApi } from '../../api/index.ts';
import { forgetCountdowns } from '../../ui/time/countdown-notes.ts';

/** Specification §9. */
const logoutDelayMs = 1000;

/** Back may show a page that the browser has kept as it was left. It would say for ever that it is logging out. */
function reloadIfKept({ persisted }: PageTransitionEvent): void {
  if (persisted) window.location.reload();
}

/** Specification §4: informs the single sign-on host, and opens the server's /custom/logout after one second. */
export function useLogout() {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isLoggingOut, setIsLoggingOut] = useState(false);
  useEffect(() => {
    if (!isLoggingOut) return undefined;
    window.addEventListener('pageshow', reloadIfKept);
    return () => window.removeEventListener('pageshow', reloadIfKept);
  }, [isLoggingOut]);

  function logOut() {
    forgetCountdowns();
    // Computed now: a second later the console may show no user.
    const leavingTo = api.logoutUrl();
    setIsLoggingOut(true);
    // The timer belongs to the window, so that leaving this screen does not stop the logout.
    setTimeout(() => window.location.assign(leavingTo), logoutDelayMs);
    // The session ends even if the host fails (specification §8: only logged).
    logOutOfSso().catch((error: unknown) => {
      // oxlint-disable-next-line no-console -- the browser console is the only log here
      console.error(error);
    });
  }

  /** Whether there is a host may not be known yet: the configuration was late, or failed to load. */
  async function logOutOfSso(): Promise<void> {
    const { sso_url: ssoUrl } = await queryClient.fetchQuery({ ...siteConfigQuery(api), staleTime: Infinity });
    if (ssoUrl !== null) await loadScript(`${ssoUrl}/wechat/logout`);
  }
  return { isLoggingOut, logOut };
}
