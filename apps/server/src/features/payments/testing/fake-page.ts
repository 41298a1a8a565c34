import { escapeHtml } from '@tongtu/base';
import type { PaymentProviderId } from '../index.ts';
import type { FakeTrade, FakeTradeState } from './fake-account.ts';

const names: Record<PaymentProviderId, string> = { alipay: '支付宝', wechat: '微信支付' };
const states: Record<FakeTradeState, string> = { waiting: '等待付款', closed: '已关闭', paid: '已支付' };

/** The page that a QR code leads to: what the buyer's wallet would show. */
export function renderPayPage(provider: PaymentProviderId, trade: FakeTrade, state: FakeTradeState): string {
  const amount = `<p class="amount">¥${yuan(trade.amountFen)}</p><p>${escapeHtml(trade.subject)}</p>`;
  const title = `${names[provider]}（替身）`;
  if (state !== 'waiting') return renderPage(title, `${amount}<p role="status" class="state">${states[state]}</p>`);
  const button = (action: string, text: string, look = ''): string =>
    `<button name="action" value="${action}" class="${look}">${text}</button>`;
  return renderPage(
    title,
    `${amount}<form method="post">${button('pay', '支付', 'main')}${button('cancel', '取消')}
    <details><summary>出错的支付</summary>
    ${button('pay-less', '少付一分')}${button('pay-twice', '重复支付')}${button('pay-silently', '支付，但不发通知')}
    </details></form>`,
  );
}

export function renderNotice(text: string): string {
  return renderPage('支付（替身）', `<p role="status" class="state">${escapeHtml(text)}</p>`);
}

/** All payments, the newest first, for a developer who has no camera at hand. */
export function renderTrades(
  trades: readonly { provider: PaymentProviderId; trade: FakeTrade; state: FakeTradeState }[],
): string {
  const rows = trades.toReversed().map(({ provider, trade, state }) => {
    const link = `<a href="/pay/${provider}/${trade.token}">${escapeHtml(trade.number)}</a>`;
    return `<li>${link} ${names[provider]} ¥${yuan(trade.amountFen)} ${states[state]}</li>`;
  });
  return renderPage('支付（替身）', rows.length === 0 ? '<p>还没有付款</p>' : `<ul>${rows.join('')}</ul>`);
}

function yuan(fen: number): string {
  return (fen / 100).toFixed(2);
}

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;max-width:420px;
margin:0 auto;padding:40px 24px;text-align:center}.amount{font-size:40px;margin:8px 0}.state{font-size:20px}
button{display:block;width:100%;margin:12px 0;padding:12px;font:inherit;border:1px solid #8888;border-radius:8px}
.main{background:#0b6b7f;color:#fff}ul{list-style:none;padding:0;text-align:start}details{margin-top:32px}</style></head>
<body><main><h1>${title}</h1><p>开发环境：这里不是真的付款，不会扣钱。</p>${content}</main></body></html>`;
}
