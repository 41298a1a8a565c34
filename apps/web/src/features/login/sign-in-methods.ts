import type { SiteConfig } from '@tongtu/contract';

export type SignInMethod = 'wechat' | 'phone' | 'password';

/** The methods of this installation, the most likely first. A phone cannot scan its own screen. */
export function offeredMethods(site: SiteConfig | undefined, isNarrow: boolean): SignInMethod[] {
  const hasWechat = site !== undefined && site.sso_url !== null;
  const hasPhone = site?.phone_login === true;
  const first: SignInMethod[] = isNarrow ? ['phone', 'wechat'] : ['wechat', 'phone'];
  const isOffered = { wechat: hasWechat, phone: hasPhone, password: true };
  return [...first, 'password' as const].filter((method) => isOffered[method]);
}

const storageKey = 'tongtu.login-way';

/** The method of the last login in this browser. */
function readLastMethod(methods: readonly SignInMethod[]): SignInMethod | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return methods.find((method) => method === stored);
  } catch {
    return undefined; // storage may be forbidden; then the first method is shown
  }
}

/** What the login shows first. */
export function firstMethod(methods: readonly SignInMethod[]): SignInMethod {
  return readLastMethod(methods) ?? methods[0] ?? 'password';
}

export function storeLastMethod(method: SignInMethod): void {
  try {
    localStorage.setItem(storageKey, method);
  } catch {
    return; // see readLastMethod
  }
}
