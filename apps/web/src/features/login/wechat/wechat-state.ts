/** The cookie that ties a login at the single sign-on host to this browser (packages/contract/src/sso.ts). */
const stateCookie = 'sso_state';
const stateBytes = 16;
const cookieSeconds = 600;

/** 128 random bits, as the single sign-on host wants them. */
export function makeState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(stateBytes));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Says that this browser made the state. Said anew before each use: another tab has a state, and a say, of its own. */
export function holdState(state: string): void {
  const isHttps = location.protocol === 'https:';
  const name = isHttps ? `__Host-${stateCookie}` : stateCookie;
  document.cookie = `${name}=${state}; path=/; max-age=${cookieSeconds}; samesite=lax${isHttps ? '; secure' : ''}`;
}
