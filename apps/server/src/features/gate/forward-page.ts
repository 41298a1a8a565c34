import { createHash } from 'node:crypto';
import type { HttpCall } from '../../http/session.ts';

type Reply = HttpCall['reply'];

/** What a browser wants to open, and the code of the share link that it came by. */
export type EntryRequest = { url: string; share?: string | undefined };

// Only a script can read the URL's fragment, in which many apps keep their state. The replaced URL leaves no entry in the
// browser's history, so Back does not return here.
const FORWARD_SCRIPT = `location.replace(document.querySelector('a').href+encodeURIComponent(location.hash))`;
const FORWARD_STYLE =
  ':root{color-scheme:light dark}body{display:grid;place-content:center;min-height:90vh;margin:0;padding:24px;text-align:center;font:16px/1.7 system-ui,sans-serif}';
// The console's colours and fonts (apps/web/src/ui/theme/theme.css), so that both look like one product.
const NOTICE_STYLE = `:root{color-scheme:light dark;--ground:#f3f6f8;--card:#fff;--ink:#15242b;--soft:#5c6b72;--main:#0e7490;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#0d1519;--card:#162127;--ink:#e9f1f4;--soft:#9aabb3;--main:#30aac1;--on:#06181d}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:32px 20px;background:var(--ground);color:var(--ink);font:14px/1.7 'PingFang SC','HarmonyOS Sans SC','MiSans','Microsoft YaHei','Noto Sans CJK SC','Noto Sans SC',system-ui,sans-serif}
main{width:100%;max-width:480px;padding:36px 32px 32px;background:var(--card);border-radius:16px;box-shadow:0 12px 40px rgb(8 40 52/12%)}
h1{margin:0 0 8px;font-size:20px;font-weight:600;line-height:1.4}p{margin:0;color:var(--soft)}
a{display:block;margin-top:20px;padding:10px 15px;border-radius:12px;background:var(--main);color:var(--on);font-size:16px;text-align:center;text-decoration:none}a:focus-visible{outline:3px solid var(--main);outline-offset:2px}
@media(max-width:480px){main{padding:28px 22px 22px}}`;

const hashOf = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
const PAGE_POLICY = `default-src 'none'; script-src ${hashOf(FORWARD_SCRIPT)}; style-src ${hashOf(FORWARD_STYLE)} ${hashOf(NOTICE_STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Leads to the console's check page, which says what is missing. It keeps the fragment of the address. */
export function sendForwardPage(reply: Reply, { url, share }: EntryRequest): Reply {
  // The url comes last, because the script appends the fragment to it.
  const query = new URLSearchParams({ ...(share !== undefined && { share }), url });
  const link = `<a hidden href="/#/check?${query.toString().replaceAll('&', '&amp;')}"></a>`;
  const body = `${link}<script>${FORWARD_SCRIPT}</script><noscript>请在浏览器中启用 JavaScript 后重试。</noscript>`;
  return sendPage(reply, { title: '通途', style: FORWARD_STYLE, body });
}

export function sendNoticePage(reply: Reply, { title, text }: { title: string; text: string }): Reply {
  const body = `<h1>${title}</h1><p>${text}</p><a href="/">前往控制台</a>`;
  return sendPage(reply, { title: `通途 - ${title}`, style: NOTICE_STYLE, body });
}

type Page = { title: string; style: string; body: string };

function sendPage(reply: Reply, { title, style, body }: Page): Reply {
  return withoutTraces(reply)
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main>${body}</main></body></html>`,
    );
}

/** Neither caches nor other sites learn the address, which may hold a ticket or the code of a link. */
export function withoutTraces(reply: Reply): Reply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex');
}
