import { type Html, html } from './html.ts';

export type PhonePage = {
  title: string;
  /** The icon above the title. */
  mark: 'ask' | 'done' | 'stopped' | 'wait' | 'scan';
  lines: readonly string[];
  more?: Html;
  /** Redirects there after a second; '' reloads the page itself. */
  refreshTo?: string;
};

const none = html``;

const marks: Record<PhonePage['mark'], Html> = {
  ask: html`<path d="M12 20h24v16H12zM8 36h32M24 25v5" />`,
  done: html`<path d="m12 25 8 8 16-18" />`,
  stopped: html`<path d="M24 13v15M24 34v1" />`,
  wait: html`<path d="M24 14v11l7 5" />`,
  scan: html`<path d="M14 20v-6h6M28 14h6v6M34 28v6h-6M20 34h-6v-6M12 24h24" />`,
};

/** Renders a page for a phone, without scripts, in both colour schemes. */
export function renderPhonePage({ title, mark, lines, more = none, refreshTo }: PhonePage): string {
  return html`<!doctype html>
    <html lang="zh-CN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${refreshTo === undefined ? none : html`<meta http-equiv="refresh" content="${refreshOf(refreshTo)}" />`}
        <title>${title} - 通途</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          <svg class="${mark}" viewBox="0 0 48 48" width="64" height="64" aria-hidden="true">
            <circle cx="24" cy="24" r="23" />
            ${marks[mark]}
          </svg>
          <h1>${title}</h1>
          ${lines.map((line) => html`<p>${line}</p>`)} ${more}
        </main>
      </body>
    </html> `.html;
}

function refreshOf(to: string): string {
  return to === '' ? '1' : `1;url=${to}`;
}

const style = html`
  :root { color-scheme: light dark; --ground: #f3f6f7; --card: #fff; --text: #16262c; --quiet: #56676e; --line: #dde5e8;
  --main: #0b6b7f; --done: #18794e; --stop: #9a5b00 } @media (prefers-color-scheme: dark) { :root { --ground: #0d1519;
  --card: #16232a; --text: #e6eef1; --quiet: #9fb1b9; --line: #2a3b44; --main: #3fa9bf; --done: #4cc38a; --stop: #e2a336
  } } * { box-sizing: border-box } body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text);
  font: 16px/1.7 system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", sans-serif } main { max-width: 420px;
  margin: 0 auto; padding: 56px 24px 40px; text-align: center } svg { fill: none; stroke: var(--main); stroke-width:
  2.5; stroke-linecap: round; stroke-linejoin: round } svg circle { stroke: none; fill: currentColor; opacity: .08 }
  svg.done { stroke: var(--done) } svg.stopped { stroke: var(--stop) } h1 { margin: 16px 0 8px; font-size: 22px;
  line-height: 1.4 } p { margin: 0 0 8px; color: var(--quiet) } dl { margin: 24px 0; padding: 4px 16px; border-radius:
  12px; background: var(--card); text-align: left } dl div { display: flex; gap: 16px; padding: 12px 0; border-top: 1px
  solid var(--line) } dl div:first-child { border-top: 0 } dt { flex: none; width: 4.5em; color: var(--quiet) } dd {
  margin: 0; overflow-wrap: anywhere } form { display: grid; gap: 12px; margin-top: 24px } button, .button { display:
  block; width: 100%; min-height: 48px; padding: 10px; border: 1px solid var(--line); border-radius: 10px; background:
  var(--card); color: var(--text); font: inherit; text-align: center; text-decoration: none; cursor: pointer } .main {
  border-color: var(--main); background: var(--main); color: #fff; font-weight: 600 } button:focus-visible,
  a:focus-visible { outline: 3px solid var(--main); outline-offset: 2px } .back { margin-top: 24px } .warning {
  margin-top: 20px; font-size: 14px } .development { margin-top: 24px; padding: 12px 16px; border: 1px dashed
  var(--stop); border-radius: 10px; color: var(--stop); font-size: 14px } @media (prefers-color-scheme: dark) { .main {
  color: #06181d } }
`;
