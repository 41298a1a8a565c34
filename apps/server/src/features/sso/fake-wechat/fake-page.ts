import { html } from '../pages/html.ts';
import { renderPhonePage } from '../pages/phone-page.ts';
import { fakePeople } from './fake-people.ts';

/** Renders a fake of WeChat's consent page. */
export function renderConsentPage({ redirectUri, state }: { redirectUri: string; state: string }): string {
  const choices = [
    ...fakePeople.map(({ name }, index) => ({ value: String(index), text: `允许，以“${name}”登录` })),
    { value: 'refuse', text: '拒绝' },
  ];
  return renderPhonePage({
    title: '微信授权（替身）',
    mark: 'ask',
    lines: ['开发环境：这不是微信，只在本机模拟它的授权页面。'],
    more: html` <form method="get" action="/fake/answer">
      <input type="hidden" name="redirect_uri" value="${redirectUri}" />
      <input type="hidden" name="state" value="${state}" />
      ${choices.map(({ value, text }) => html`<button name="person" value="${value}">${text}</button>`)}
    </form>`,
  });
}

/** Renders a fake of WeChat's error page. */
export function renderErrorPage(reason: string): string {
  return renderPhonePage({ title: '微信授权（替身）', mark: 'stopped', lines: [reason] });
}
