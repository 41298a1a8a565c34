import type { DevelopmentCode } from './development-codes.ts';

const CHANNELS = { sms: '短信', mail: '邮件' } as const;

/** Renders the last codes for developers. The page reloads itself. */
export function developmentPage(codes: readonly DevelopmentCode[]): string {
  const rows = codes.map(
    ({ sentAt, channel, address, purpose, code }) =>
      `<tr><td><code>${escaped(code)}</code><td class="address">${escaped(address)}<td>${CHANNELS[channel]}<td>${escaped(purpose)}<td><time>${timeOf(sentAt)}</time>`,
  );
  return `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="3">
<title>通途 - 开发环境：验证码</title>
<style>
  :root { color-scheme: light dark; --line: light-dark(#d8dee4, #3a444d); --sign: light-dark(#8a4b00, #ffc46b) }
  body { margin: 0 auto; max-width: 760px; padding: 16px; font: 15px/1.7 system-ui, sans-serif }
  h1 { font-size: 20px; margin: 0 }
  strong { color: var(--sign) }
  div { overflow-x: auto }
  table { width: 100%; border-collapse: collapse; white-space: nowrap }
  th, td { padding: 6px 16px 6px 0; text-align: left; border-bottom: 1px solid var(--line) }
  .address { white-space: normal; overflow-wrap: anywhere; min-width: 9em }
  code { font: 600 18px/1.4 ui-monospace, monospace; letter-spacing: 2px }
</style>
<main>
<h1><strong>开发环境</strong> · 验证码</h1>
<p>没有配置短信或邮件服务，验证码显示在这里和服务日志里。此页仅本机可以打开，正式环境中不存在。</p>
${rows.length === 0 ? '<p>还没有发送过验证码。</p>' : `<div><table><thead><tr><th>验证码<th>发给<th>方式<th>用途<th>时间<tbody>${rows.join('')}</table></div>`}
</main>
</html>
`;
}

/** In Beijing time, like the console. */
function timeOf(moment: Date): string {
  return moment.toLocaleTimeString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false });
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
