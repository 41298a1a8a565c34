import { createHash } from 'node:crypto';
import { escapeHtml } from '@tongtu/base';

// The console's colours and fonts (apps/web/src/ui/theme/theme.css), so that both look like one product.
const STYLE = `:root{color-scheme:light dark;--ground:#f3f6f8;--card:#fff;--ink:#15242b;--soft:#5c6b72;--line:#d9e0e4;--main:#0e7490;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#0d1519;--card:#162127;--ink:#e9f1f4;--soft:#9aabb3;--line:#36474f;--main:#30aac1;--on:#06181d}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:32px 20px;background:var(--ground);color:var(--ink);font:14px/1.7 'PingFang SC','HarmonyOS Sans SC','MiSans','Microsoft YaHei','Noto Sans CJK SC','Noto Sans SC',system-ui,sans-serif}
main{width:100%;max-width:480px;padding:36px 32px 32px;background:var(--card);border-radius:16px;box-shadow:0 12px 40px rgb(8 40 52/12%)}
h1{margin:0 0 8px;font-size:20px;font-weight:600;line-height:1.4}p{margin:0 0 12px}.advice{color:var(--soft)}
dl{margin:16px 0;padding:12px 14px;border:1px solid var(--line);border-radius:8px}dl div{display:flex;gap:12px}dt{flex:none;width:5em;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-family:'SF Mono','JetBrains Mono','Cascadia Code',Consolas,'Noto Sans Mono CJK SC',monospace}
a.button{display:block;margin-top:20px;padding:10px 15px;border-radius:12px;background:var(--main);color:var(--on);font-size:16px;text-align:center;text-decoration:none}a.more{display:block;margin-top:12px;color:var(--main);text-align:center}a:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.brand{display:flex;align-items:center;gap:8px;margin:0 0 20px;font-size:16px;font-weight:600}
footer{margin-top:24px;color:var(--soft);font-size:13px}
@media(max-width:480px){main{padding:28px 22px 22px}}`;

// Only a script can read the URL's fragment, in which many apps keep their state.
const FORWARD_SCRIPT = `const a=document.querySelector('a.button');a.href+=encodeURIComponent(location.hash);setTimeout(()=>location.replace(a.href))`;

// A script of a page at the same URL repeats the request, so that the browser sends the page's origin. It goes by way of
// another path, because a change of the fragment is no request. In a sandbox with an opaque origin it would never end.
const ONCE_MORE_SCRIPT = `if(self.origin!=='null'){document.documentElement.style.display='none';const to=location.href;history.replaceState(null,'','/.tongtu/');location.replace(to)}`;

// The relay has not read the request, so only the browser knows the address.
const BY_HTTPS_SCRIPT = `if(location.protocol==='http:')location.replace('https'+location.href.slice(4))`;

/** By what the page does next. */
const SCRIPTS: Readonly<Record<string, string>> = {
  forward: FORWARD_SCRIPT,
  'once-more': ONCE_MORE_SCRIPT,
  'by-https': BY_HTTPS_SCRIPT,
};

const BRAND = `<p class="brand"><svg width="32" height="32" viewBox="0 0 48 48" aria-hidden="true"><rect width="48" height="48" rx="11" fill="#0e7490"/><g fill="none" stroke="#fff" stroke-linecap="round"><path d="M6 33h36M16 12v25M32 12v25" stroke-width="3.4"/><path d="M6 27C10 24 14 18 16 13c3 8 6 12 8 12s5-4 8-12c2 5 6 11 10 14" stroke-width="2.4"/></g></svg>通途</p>`;

const hashOf = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** Who may show the page in a frame; undefined: anybody. */
export function pagePolicy(frameAncestors: string | undefined): string {
  return frameAncestors === undefined ? PAGE_POLICY : `${PAGE_POLICY}; frame-ancestors ${frameAncestors}`;
}

const PAGE_POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${Object.values(SCRIPTS).map(hashOf).join(' ')}; base-uri 'none'; form-action 'none'`;

type PageLink = { text: string; href: string; isNewWindow?: boolean };

export type HtmlPage = {
  title: string;
  paragraphs: readonly string[];
  advice: string;
  facts: ReadonlyArray<readonly [string, string]>;
  button: PageLink | undefined;
  /** A second link. */
  more: PageLink | undefined;
  /**
   * `forward`: goes to the button's URL by itself, with the fragment. `reload`: tries again after so many
   * seconds. `once-more`: opens its own address from here. `by-https`: opens its own address by https.
   */
  next: { type: 'stay' | 'forward' | 'once-more' | 'by-https' } | { type: 'reload'; afterSeconds: number };
  referrer: 'no-referrer' | 'origin';
  footer: string;
};

export function renderHtml(page: HtmlPage): string {
  const { button, more, next } = page;
  const isForward = next.type === 'forward' && button !== undefined;
  const script = next.type === 'forward' && !isForward ? undefined : SCRIPTS[next.type];
  const facts = page.facts.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="${page.referrer}">${isForward ? `<noscript><meta http-equiv="refresh" content="1;url=${escapeHtml(button.href)}"></noscript>` : ''}${next.type === 'reload' ? `<meta http-equiv="refresh" content="${next.afterSeconds}">` : ''}<title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><main>${BRAND}<h1>${escapeHtml(page.title)}</h1>${page.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}<p class="advice">${escapeHtml(page.advice)}</p>${facts.length > 0 ? `<dl>${facts.join('')}</dl>` : ''}${linkHtml('button', button)}${linkHtml('more', more)}<footer>${escapeHtml(page.footer)}</footer></main>${script === undefined ? '' : `<script>${script}</script>`}</body></html>
`;
}

function linkHtml(className: string, link: PageLink | undefined): string {
  if (link === undefined) return '';
  const target = link.isNewWindow === true ? ' target="_blank" rel="noopener"' : '';
  return `<a class="${className}" href="${escapeHtml(link.href)}"${target}>${escapeHtml(link.text)}</a>`;
}
