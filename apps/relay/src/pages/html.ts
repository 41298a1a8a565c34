import { createHash } from 'node:crypto';

const STYLE = `:root{color-scheme:light dark;--ground:#f3f5f7;--card:#fff;--ink:#1c2b33;--soft:#5b6b75;--line:#dfe5e9;--main:#0b6b78;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#12191d;--card:#1b252b;--ink:#e8eef1;--soft:#9db0ba;--line:#2c3a42;--main:#38b2c2;--on:#06262b}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:16px;background:var(--ground);color:var(--ink);font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:100%;max-width:460px;padding:32px 28px;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 12px;font-size:22px;line-height:1.4}p{margin:0 0 12px}.advice{color:var(--soft)}
dl{margin:16px 0;padding:12px 14px;border:1px solid var(--line);border-radius:8px;font-size:14px}dl div{display:flex;gap:12px}dt{flex:none;width:5em;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
a.button{display:block;margin-top:20px;padding:11px 16px;border-radius:8px;background:var(--main);color:var(--on);text-align:center;text-decoration:none;font-weight:600}a.button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
footer{margin-top:24px;color:var(--soft);font-size:13px}`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export type HtmlPage = {
  title: string;
  paragraphs: readonly string[];
  advice: string;
  facts: ReadonlyArray<readonly [string, string]>;
  button: { text: string; href: string } | undefined;
  /** Goes to the button's address by itself. */
  forwardAfterSeconds: number | undefined;
  footer: string;
};

export function renderHtml(page: HtmlPage): string {
  const { button, forwardAfterSeconds } = page;
  const forward =
    button !== undefined && forwardAfterSeconds !== undefined
      ? `<meta http-equiv="refresh" content="${forwardAfterSeconds};url=${escapeHtml(button.href)}">`
      : '';
  const facts = page.facts.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">${forward}<title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(page.title)}</h1>${page.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}<p class="advice">${escapeHtml(page.advice)}</p>${facts.length > 0 ? `<dl>${facts.join('')}</dl>` : ''}${button === undefined ? '' : `<a class="button" href="${escapeHtml(button.href)}">${escapeHtml(button.text)}</a>`}<footer>${escapeHtml(page.footer)}</footer></main></body></html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
