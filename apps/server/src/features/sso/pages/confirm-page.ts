import { html } from './html.ts';
import { renderPhonePage } from './phone-page.ts';

export type ConfirmQuestion = {
  scanToken: string;
  site: string;
  browser: string;
  /** Place and address, as far as they are known. */
  place: string;
  time: string;
  nickname: string;
  isFake: boolean;
};

/** Asks before the login: a QR code on another site may be for that site's own browser. */
export function renderConfirmPage(question: ConfirmQuestion): string {
  const facts = [
    ['微信', question.nickname || '未命名用户'],
    ['网站', question.site],
    ['浏览器', question.browser],
    ['位置', question.place],
    ['时间', question.time],
  ];
  return renderPhonePage({
    title: '确认登录通途？',
    mark: 'ask',
    lines: ['请核对是不是您本人正在登录'],
    more: html` <dl>
        ${facts.map(
          ([name = '', value = '']) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <form method="post" action="confirm">
        <input type="hidden" name="t" value="${question.scanToken}" />
        <button class="main" name="decision" value="confirmed">确认登录</button>
        <button name="decision" value="cancelled">取消</button>
      </form>
      <p class="warning">如果这不是您自己打开的登录页面，请点“取消”：确认后，那个浏览器会登录您的账号。</p>
      ${question.isFake ? html`<p class="development">开发环境：微信由本机的替身模拟。</p>` : html``}`,
  });
}
