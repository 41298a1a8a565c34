import { expect, test } from 'vitest';
import type { AlertDetails } from '../alert-details.ts';
import { plainText, writeMessage } from '../sending/alert-message.ts';
import { requestFor, type ProviderRequest } from './index.ts';

/** What somebody else may have written: as Markdown, as HTML, and bare. */
const written =
  '[点我](https://evil.example/a) <a href="https://evil.example">x</a> www.evil.example evil.example/b 恶意.公司';
const at = '2026-11-28T08:00:00.000Z';
const [ends, since, back] = [at, at, at];
const device = { id: 1, uid: '0123456789ab', name: written };
const where = { browser: 'Chrome', place: '', ip: '203.0.113.7', at };
const plan = { id: 1, name: written, device: { id: 1, name: written }, ends };

const alerts: { [Event in AlertDetails['event']]: Extract<AlertDetails, { event: Event }> } = {
  device_offline: { event: 'device_offline', devices: [1, 2].map((id) => ({ ...device, id, since, reason: null })) },
  device_online: { event: 'device_online', devices: [{ ...device, since, back }] },
  new_login: { event: 'new_login', ...where },
  passkey_added: { event: 'passkey_added', name: written, ...where },
  access_request: { event: 'access_request', at, account: written, domain: 'nas.example.com', message: written },
  plan_expiring: { event: 'plan_expiring', plans: [plan] },
  plan_expired: { event: 'plan_expired', plans: [plan, { ...plan, device: null }] },
  ledger_unbalanced: { event: 'ledger_unbalanced', at, problems: [written], problemCount: 1 },
  test: { event: 'test', at, channel: written },
};

const textOf = (request: ProviderRequest) =>
  request.contentType.includes('json') ? request.body : new URLSearchParams(request.body).toString();

test.each(Object.values(alerts))('nothing that others wrote is a link in a message of $event', (details) => {
  const message = writeMessage('https://tongtu.example.com', details);
  const url = 'https://example.org/hook';
  const requests = {
    wecom: requestFor('wecom', { kind: 'wecom', url }, message, 0),
    dingtalk: requestFor('dingtalk', { kind: 'dingtalk', url }, message, 0),
    feishu: requestFor('feishu', { kind: 'feishu', url }, message, 0),
    bark: requestFor('bark', { kind: 'bark', url }, message, 0),
    serverchan: requestFor('serverchan', { kind: 'serverchan', send_key: 'SCTaaaaaaaaaaaa' }, message, 0),
  };
  const sent = Object.values(requests).map((request) => decodeURIComponent(textOf(request).replaceAll('+', ' ')));
  // A webhook's other fields are for programs, and are as they were written.
  const { title, text } = JSON.parse(requestFor('webhook', { kind: 'webhook', url }, message, 0).body) as object &
    Record<string, string>;
  for (const one of [...sent, plainText(message), `${title} ${text}`]) {
    const rest = one.replaceAll(message.url, '');
    expect(rest).not.toMatch(/:\/\/|evil\.|www\.|恶意\.|<a|\[点我\]/);
  }
});
