import type { PageGlobals } from '../src/start/page-globals.ts';
import type { HeadScriptParts } from './head-parts.ts';

/**
 * Runs in the page's head, before any module is loaded, so that calls and files are asked for at the same time. The
 * build writes it into the page: it may import nothing but types.
 */
export function headScript({ modules, screens, check, login }: HeadScriptParts): void {
  const replies: PageGlobals['replies'] = {};
  function ask(url: string): void {
    const headers = { accept: 'application/json', 'accept-language': 'zh-CN' };
    const reply = fetch(url, { credentials: 'same-origin', headers });
    reply.catch(() => undefined); // the reader of the reply reports its failure
    replies[url] = reply;
  }
  function preload(files: readonly string[]): void {
    for (const href of files) {
      const link = document.createElement('link');
      link.rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
  }
  function stored(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  const theme = stored('tongtu.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;

  const [path = '', ...rest] = location.hash.slice(1).split('?');
  const ofScreen = screens[path] ?? screens['/devices'] ?? [];
  ask('/api/announcement/announcements/');
  ask('/api/site/config/');
  if (path === '/check') {
    preload(check);
    const query = new URLSearchParams(rest.join('?'));
    const [url, share] = [query.get('url'), query.get('share')];
    if (url) ask(`/custom/check/?${new URLSearchParams(share ? { url, share } : { url })}`);
  } else {
    ask('/api/profile/');
    preload(stored('tongtu.was-in') ? ofScreen : login);
  }
  window.tongtu = { replies, modules, preloadConsole: () => preload(ofScreen) };
}
