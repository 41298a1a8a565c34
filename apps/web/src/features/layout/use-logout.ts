import { useEffect, useState } from 'react';
import { loadScript, useSiteConfig } from '../../api/index.ts';

/** Specification §9. */
const logoutDelayMs = 1000;

/** Specification §4: the single sign-on host is told, and after 1 second the browser goes to the server's /custom/logout. */
export function useLogout() {
  const ssoUrl = useSiteConfig()?.sso_url;
  const [isLoggingOut, setIsLoggingOut] = useState(false);

  useEffect(() => {
    if (!isLoggingOut) return;
    const timer = setTimeout(() => window.location.assign('/custom/logout'), logoutDelayMs);
    return () => clearTimeout(timer);
  }, [isLoggingOut]);

  function logOut() {
    setIsLoggingOut(true);
    if (typeof ssoUrl !== 'string') return;
    // The session here ends whether or not the host heard of it (specification §8: logged only).
    loadScript(`${ssoUrl}/wechat/logout`).catch((error: unknown) => {
      // oxlint-disable-next-line no-console -- the browser's console is the page's only log
      console.error(error);
    });
  }
  return { isLoggingOut, logOut };
}
