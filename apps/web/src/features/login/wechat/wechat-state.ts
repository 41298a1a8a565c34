/** The cookie that binds a login at the single sign-on host to this browser (packages/contract/src/account/sso.ts). */
const stateCookie = 'sso_state';
const stateBytes = 16;
const cookieSeconds = 600;

/** 128 random bits, as the single sign-on host requires. */
export function makeState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(stateBytes));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Marks the state as made by this browser. Set before each use, because all tabs share the cookie. */
export function setStateCookie(state: string): void {
  const isHttps = location.protocol === 'https:';
  const name = isHttps ? `__Host-${stateCookie}` : stateCookie;
  document.cookie = `${name}=${state}; path=/; max-age=${cookieSeconds}; samesite=lax${isHttps ? '; secure' : ''}`;
}
