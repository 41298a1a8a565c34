import type { PageGlobals } from '../src/start/page-globals.ts';
import type { HeadScriptParts } from './head-parts.ts';

/**
 * Runs in the page's head, before any module is loaded, so that calls and files are asked for at the same time. The
 * build writes it into the page: it may import nothing but types.
 */
export function headScript({ start, modules, screens, check, login }: HeadScriptParts): void {
  const replies: PageGlobals['replies'] = {};
  /** As `readCsrfToken` reads it, for all calls but raw ones (specification §7). */
  function csrfHeader(): Record<string, string> {
    const cookies = document.cookie.split(';').map((pair) => pair.trim());
    const tokensOf = (name: string) =>
      cookies.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
    const ofHost = location.protocol === 'https:' ? tokensOf('__Host-csrftoken') : [];
    const tokens = (ofHost.length > 0 ? ofHost : tokensOf('csrftoken')).filter((token) => /^[\w.-]+$/.test(token));
    return tokens.length === 0 ? {} : { 'x-csrftoken': tokens.slice(0, 8).join(', ') };
  }
  function ask(url: string, { isRaw = false } = {}): void {
    const headers = { accept: 'application/json', 'accept-language': 'zh-CN', ...(isRaw ? {} : csrfHeader()) };
    const reply = fetch(url, { credentials: 'same-origin', headers });
    reply.catch(() => undefined); // the reader of the reply reports its failure
    replies[url] = reply;
  }
  const asked = new Map<string, Promise<unknown>>();
  /** Resolves when the styles are there; modules wait for each other by themselves. */
  async function preload(files: readonly string[]): Promise<void> {
    const styles = files.map((href) => {
      const isStyle = href.endsWith('.css');
      const loaded = asked.get(href) ?? addLink(href, isStyle ? 'stylesheet' : 'modulepreload');
      asked.set(href, loaded);
      return isStyle ? loaded : Promise.resolve();
    });
    await Promise.all(styles);
  }
  function addLink(href: string, rel: string): Promise<unknown> {
    const link = document.createElement('link');
    link.rel = rel;
    link.href = href;
    document.head.append(link);
    // Without its styles a screen is ugly but can be used.
    return new Promise((resolve) => {
      link.addEventListener('load', resolve);
      link.addEventListener('error', resolve);
    });
  }
  async function load([url = '', ...imported]: readonly string[], more: readonly string[] = []) {
    const [module] = await Promise.all([import(url), preload([url, ...imported, ...more])]);
    return module;
  }
  function stored(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  /** Notes the time of the reload. False within a minute of one, as a reload may not help. */
  function mayReload(): boolean {
    const key = 'tongtu.reloaded-at';
    try {
      if (Date.now() - Number(sessionStorage.getItem(key)) < 60_000) return false;
      sessionStorage.setItem(key, String(Date.now()));
      return true;
    } catch {
      return false; // without the note it would never end
    }
  }
  async function reloadIfServed(): Promise<boolean> {
    const signal = AbortSignal.timeout(10_000); // a server that is away may also keep silent
    const reply = await fetch('/api/login_status/', { signal }).catch(() => undefined);
    const isServed = reply !== undefined && reply.status < 500;
    if (isServed && mayReload()) location.reload();
    return isServed;
  }
  /** Without its first script the page would stay empty. The text is in its HTML. */
  function showNotLoaded(): void {
    document.querySelector('.splash')?.remove();
    const notLoaded = document.querySelector('.not-loaded');
    notLoaded?.removeAttribute('hidden');
    notLoaded?.querySelector('button')?.addEventListener('click', () => location.reload());
    setInterval(() => void reloadIfServed(), 4000);
  }
  /**
   * The page cannot start without its first script and all that this one imports. What asks for later files handles their
   * failure. Scripts of others, which a proxy or an extension puts into the page, do not matter.
   */
  function onError({ target }: Event): void {
    if (!(target instanceof HTMLScriptElement) || target.getAttribute('src') !== start) return;
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showNotLoaded);
    else showNotLoaded();
  }
  addEventListener('error', onError, true); // such an event does not bubble

  const theme = stored('tongtu.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;

  const place = location.hash.slice(1);
  const [path = '', ...rest] = place.split('?');
  const ofScreen = screens[place] ?? screens[path.replace(/\/\d+$/, '')] ?? screens['/devices'] ?? [];
  let stylesLoaded: Promise<void>;
  ask('/api/announcement/announcements/');
  ask('/api/site/config/');
  if (path === '/check') {
    stylesLoaded = preload(check);
    const query = new URLSearchParams(rest.join('?'));
    const [url, share] = [query.get('url'), query.get('share')];
    if (url) ask(`/custom/check/?${new URLSearchParams(share ? { url, share } : { url })}`, { isRaw: true });
  } else {
    ask('/api/profile/');
    stylesLoaded = preload(stored('tongtu.was-in') ? ofScreen : login);
  }
  window.tongtu = {
    replies,
    stylesLoaded,
    // Vite's own loading does not wait for styles that were asked for here.
    loadConsole: () => window.tongtuTooOld?.() ?? load(modules.console, ofScreen),
    loadCaptcha: () => window.tongtuTooOld?.() ?? load(modules.captcha),
    preloadConsole: () => void preload(ofScreen),
    reloadIfServed,
  };
}
