import { escapeHtml } from '@tongtu/base';

export type WelcomeFacts = {
  deviceHost: string;
  /** The address this request came by, as the browser wrote it. */
  address: string;
  /** The visitor's address at the relay; undefined when the page was opened on the device itself. */
  visitorAddress: string | undefined;
  deviceTime: Date;
};

/** The page that a fresh installation can open. It shows that the path from browser to device works. */
export function welcomeHtml(facts: WelcomeFacts): string {
  const device = escapeHtml(facts.deviceHost);
  const way =
    facts.visitorAddress === undefined
      ? '您正在设备本机上直接打开它，没有经过隧道'
      : `<code>${escapeHtml(facts.visitorAddress)}</code> → 中继 → 隧道 → <code>${device}</code>`;
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>欢迎使用通途</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${LOGO}
${facts.visitorAddress === undefined ? '' : '<p class="state"><span></span>隧道已接通</p>'}
<h1>恭喜，这个页面来自您的设备</h1>
<p class="lead">它由设备 <strong>${device}</strong> 上的通途客户端提供。</p>
<dl>
<dt>设备</dt><dd>${device}</dd>
<dt>访问地址</dt><dd><code>${escapeHtml(facts.address)}</code></dd>
<dt>到达方式</dt><dd>${way}</dd>
<dt>设备时间</dt><dd>${escapeHtml(formatTime(facts.deviceTime))}</dd>
</dl>
<section>
<h2>下一步：把您的 NAS 放到网上</h2>
<ol>
<li>回到控制台，打开“我的设备”</li>
<li>点击“添加域名映射”，取一个前缀，例如 <code>nas</code></li>
<li>目标填写局域网里的地址，例如 <code>http://192.168.1.10:5000</code></li>
</ol>
<p>保存后立即生效，在任何浏览器里都能打开。默认只有您本人可以访问。</p>
</section>
</main>
</body>
</html>
`;
}

/** `2026-11-21 14:05:09 GMT+8`, in the device's own time zone. */
function formatTime(time: Date): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }).format(time);
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'shortOffset' })
    .formatToParts(time)
    .find((part) => part.type === 'timeZoneName');
  return `${parts} ${zone?.value ?? ''}`.trim();
}

const LOGO = `<svg viewBox="0 0 64 64" width="64" height="64" role="img" aria-label="通途">
<rect width="64" height="64" rx="14" fill="#0b6e7f"/>
<g fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">
<path d="M8 45h48M20 45V16M44 45V16"/>
<path d="M8 36C14 34 18 26 20 18c3 12 21 12 24 0 2 8 6 16 12 18" stroke-width="3"/>
<path d="M26 45V27.5M32 45V29M38 45V27.5" stroke-width="2" opacity=".75"/>
</g>
</svg>`;

const STYLE = `
:root{--ground:#f3f5f6;--card:#fff;--text:#1c2b30;--soft:#5b6b71;--line:#e4e9eb;--main:#0b6e7f;--good:#14763e;--code:#eef3f4}
@media (prefers-color-scheme:dark){:root{--ground:#0f1719;--card:#182225;--text:#e6eef0;--soft:#9db0b6;--line:#29373b;--main:#4fb6c6;--good:#4cc681;--code:#223034}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--text);
font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:100%;max-width:600px;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:clamp(20px,6vw,40px)}
.state{display:inline-flex;align-items:center;gap:8px;margin:0;float:right;color:var(--good);font-size:14px;font-weight:600}
.state span{width:8px;height:8px;border-radius:50%;background:currentColor}
h1{margin:16px 0 4px;font-size:clamp(20px,6vw,28px);line-height:1.35;text-wrap:balance}
h2{margin:0 0 8px;font-size:17px}
.lead{margin:0 0 20px;color:var(--soft)}
.lead strong{color:var(--text);overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px;margin:0 0 24px;padding:16px 0;border:solid var(--line);border-width:1px 0}
dt{color:var(--soft);white-space:nowrap}
dd{margin:0;overflow-wrap:anywhere}
code{padding:1px 6px;border-radius:5px;background:var(--code);font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
section{border-left:3px solid var(--main);padding-left:16px}
ol{margin:0;padding-left:1.3em}
section p{margin:8px 0 0;color:var(--soft);font-size:15px}
`;
