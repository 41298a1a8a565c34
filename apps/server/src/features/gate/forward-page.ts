import { createHash } from 'node:crypto';
import type { HttpCall } from '../../http/session.ts';

type Reply = HttpCall['reply'];

/** What a browser wants to open, and the code of the share link that it came by. */
export type EntryRequest = { url: string; share?: string | undefined };

// Only a script can read the URL's fragment, in which many apps keep their state. The replaced URL leaves no entry in the
// browser's history, so Back does not return here.
const FORWARD_SCRIPT = `location.replace(document.querySelector('a').href+encodeURIComponent(location.hash))`;
const STYLE =
  ':root{color-scheme:light dark}body{display:grid;place-content:center;min-height:90vh;margin:0;padding:24px;text-align:center;font:16px/1.7 system-ui,sans-serif}h1{margin:0;font-size:20px}';

const hashOf = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
const PAGE_POLICY = `default-src 'none'; script-src ${hashOf(FORWARD_SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Leads to the console's check page, which says what is missing. It keeps the fragment of the address. */
export function sendForwardPage(reply: Reply, { url, share }: EntryRequest): Reply {
  // The url comes last, because the script appends the fragment to it.
  const query = new URLSearchParams({ ...(share !== undefined && { share }), url });
  const link = `<a hidden href="/#/check?${query.toString().replaceAll('&', '&amp;')}"></a>`;
  const body = `${link}<script>${FORWARD_SCRIPT}</script><noscript>请在浏览器中启用 JavaScript 后重试。</noscript>`;
  return sendPage(reply, '通途', body);
}

export function sendNoticePage(reply: Reply, { title, text }: { title: string; text: string }): Reply {
  return sendPage(reply, `通途 - ${title}`, `<h1>${title}</h1><p>${text}</p><p><a href="/">前往控制台</a></p>`);
}

function sendPage(reply: Reply, title: string, body: string): Reply {
  return withoutTraces(reply)
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`,
    );
}

/** Neither caches nor other sites learn the address, which may hold a ticket or the code of a link. */
export function withoutTraces(reply: Reply): Reply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex');
}
