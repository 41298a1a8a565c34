import type { LoginReply, SiteConfig } from '@tongtu/contract';

export type SignInMethod = 'wechat' | 'phone' | 'password';

/** What every way of logging in is given. */
export type SignInMethodProps = {
  /** Who invited; it came with the address of the page. */
  aff: string | undefined;
  /** Ends the login, or goes on to its second step. Resolves when the page knows the user. Throws ApiError. */
  onReply: (method: SignInMethod, reply: LoginReply) => Promise<void>;
};

/** The ways that this installation offers, the likeliest first. A phone cannot scan its own screen. */
export function offeredMethods(site: SiteConfig | undefined, isNarrow: boolean): SignInMethod[] {
  const hasWechat = site !== undefined && site.sso_url !== null;
  const hasPhone = site?.phone_login === true;
  const first: SignInMethod[] = isNarrow ? ['phone', 'wechat'] : ['wechat', 'phone'];
  const isOffered = { wechat: hasWechat, phone: hasPhone, password: true };
  return [...first, 'password' as const].filter((method) => isOffered[method]);
}

const storageKey = 'tongtu.login-way';

/** The way that worked here the last time. */
export function readLastMethod(methods: readonly SignInMethod[]): SignInMethod | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return methods.find((method) => method === stored);
  } catch {
    return undefined; // storage may be forbidden; the first way is then shown each time
  }
}

export function storeLastMethod(method: SignInMethod): void {
  try {
    localStorage.setItem(storageKey, method);
  } catch {
    return; // see readLastMethod
  }
}
