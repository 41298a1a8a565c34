import { useEffect, useState } from 'react';

/** Specification §9. */
const logoutDelayMs = 1000;

/** Specification §4: after 1 second the browser goes to the server's /custom/logout. */
export function useLogout() {
  const [isLoggingOut, setIsLoggingOut] = useState(false);

  useEffect(() => {
    if (!isLoggingOut) return;
    const timer = setTimeout(() => window.location.assign('/custom/logout'), logoutDelayMs);
    return () => clearTimeout(timer);
  }, [isLoggingOut]);

  return { isLoggingOut, logOut: () => setIsLoggingOut(true) };
}
