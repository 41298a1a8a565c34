import type { LoginReply, SiteConfig } from '@tongtu/contract';

export type LoginWay = 'wechat' | 'phone' | 'password';

/** What every way of logging in is given. */
export type LoginWayProps = {
  /** Who invited; it came with the address of the page. */
  aff: string | undefined;
  /** Ends the login, or goes on to its second step. Resolves when the page knows the user. Throws ApiError. */
  onReply: (way: LoginWay, reply: LoginReply) => Promise<void>;
};

/** The ways that this installation offers, the likeliest first. A phone cannot scan its own screen. */
export function offeredWays(site: SiteConfig | undefined, isNarrow: boolean): LoginWay[] {
  const hasWechat = site !== undefined && site.sso_url !== null;
  const hasPhone = site?.phone_login === true;
  const first: LoginWay[] = isNarrow ? ['phone', 'wechat'] : ['wechat', 'phone'];
  const isOffered = { wechat: hasWechat, phone: hasPhone, password: true };
  return [...first, 'password' as const].filter((way) => isOffered[way]);
}

const storageKey = 'tongtu.login-way';

/** The way that worked here the last time. */
export function readLastWay(ways: readonly LoginWay[]): LoginWay | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return ways.find((way) => way === stored);
  } catch {
    return undefined; // storage may be forbidden; the first way is then shown each time
  }
}

export function keepLastWay(way: LoginWay): void {
  try {
    localStorage.setItem(storageKey, way);
  } catch {
    return; // see readLastWay
  }
}
