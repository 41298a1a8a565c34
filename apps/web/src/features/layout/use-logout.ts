import { useState } from 'react';
import { loadScript, useApi, useSiteConfig } from '../../api/index.ts';
import { forgetCountdowns } from '../../ui/use-countdown.ts';

/** Specification §9. */
const logoutDelayMs = 1000;

/** Specification §4: the single sign-on host is told, and after 1 second the browser goes to the server's /custom/logout. */
export function useLogout() {
  const { logoutUrl } = useApi();
  const ssoUrl = useSiteConfig()?.sso_url;
  const [isLoggingOut, setIsLoggingOut] = useState(false);

  function logOut() {
    forgetCountdowns();
    // Taken when it is asked for: a second later the page may be nobody's.
    const leavingTo = logoutUrl();
    setIsLoggingOut(true);
    // The page's, not this component's: whoever goes back within the second is logged out all the same.
    setTimeout(() => window.location.assign(leavingTo), logoutDelayMs);
    if (typeof ssoUrl !== 'string') return;
    // The session here ends whether or not the host heard of it (specification §8: logged only).
    loadScript(`${ssoUrl}/wechat/logout`).catch((error: unknown) => {
      // oxlint-disable-next-line no-console -- the browser's console is the page's only log
      console.error(error);
    });
  }
  return { isLoggingOut, logOut };
}
