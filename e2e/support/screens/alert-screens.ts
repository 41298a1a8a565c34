import type { AlertChannel, AlertDelivery, AlertSettings } from '@tongtu/contract';
import type { Locator, Page } from 'playwright-core';
import { buttonName } from '../browser/browser.ts';
import { DEVICE_NAME, type Place, type Screen, visit } from './screen-steps.ts';

/** The screens of alerts: without a channel, in use, and the deliveries. */
export const alertScreens: Screen[] = [
  {
    name: 'alerts-none',
    open: async (page, at) => await visit(page, at, '#/user/info?section=alerts', '还没有提醒方式'),
  },
  { name: 'alert-email-missing', open: async (page, at) => void (await openNewChannel(page, at, '邮件')) },
  {
    name: 'alert-channel-new',
    async open(page, at) {
      const dialog = await openNewChannel(page, at, '钉钉群机器人');
      await dialog.getByLabel('加签密钥').waitFor();
    },
  },
  {
    name: 'alert-channel-refused',
    allowedErrors: /422/,
    async open(page, at) {
      const dialog = await openNewChannel(page, at, 'Webhook');
      await dialog.getByLabel('网址').fill('http://192.168.1.10:8080/alerts');
      await dialog.getByRole('button', { name: buttonName('添加') }).click();
      await dialog.getByText('不能向这个地址发送提醒').waitFor();
    },
  },
  {
    name: 'alerts',
    differsBySize: true,
    ownData: 'alerts',
    async open(page, at) {
      await showAlerts(page, at);
      await page.getByRole('button', { name: '添加提醒方式' }).hover();
    },
  },
  {
    name: 'alert-test-failed',
    ownData: 'alerts',
    async open(page, at) {
      await page.route('**/api/user/alerts/channels/2/test/', (route) =>
        route.fulfill({ json: { ...deliveries[2], event: 'test' } }),
      );
      await showAlerts(page, at);
      await page.getByRole('button', { name: '发送测试 家人群' }).click();
      const remedy = page.getByRole('alert').getByText(/请核对加签密钥/);
      await remedy.waitFor();
      await remedy.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'alert-channel-edit',
    ownData: 'alerts',
    async open(page, at) {
      await showAlerts(page, at);
      await page.getByRole('button', { name: '修改 家人群' }).click();
      await page.getByRole('dialog').getByPlaceholder('已设置，留空则不修改').first().waitFor();
    },
  },
  {
    name: 'alert-deliveries-none',
    ownData: 'alerts',
    async open(page, at) {
      await showAlerts(page, at);
      await page.getByRole('button', { name: '最近的提醒' }).click();
      await page.getByText('最近 30 天没有提醒').waitFor();
    },
  },
  {
    name: 'alert-deliveries',
    ownData: 'alerts',
    async open(page, at) {
      const dialog = await showDeliveries(page, at);
      await dialog.getByRole('button', { name: buttonName('展开') }).waitFor(); // one: the others are short
    },
  },
  {
    name: 'alert-delivery-whole',
    ownData: 'alerts',
    async open(page, at) {
      const dialog = await showDeliveries(page, at);
      await dialog.getByRole('button', { name: buttonName('展开') }).press('Enter');
      await dialog.getByRole('button', { name: buttonName('收起') }).waitFor();
    },
  },
  {
    name: 'device-alerts-off',
    ownData: 'muted device',
    async open(page, at) {
      await page.route('**/api/user/routers/?*', async (route) => {
        const reply = await route.fetch();
        const { results, ...rest } = (await reply.json()) as { results: object[] }; // a page of devices
        const muted = results.map((device) => ({ ...device, alerts_enabled: false }));
        await route.fulfill({ response: reply, json: { ...rest, results: muted } });
      });
      await page.route('**/api/user/alerts/', (route) => route.fulfill({ json: settings }));
      await visit(page, at, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: `${DEVICE_NAME} 更多操作` }).click();
      await page.getByRole('menuitem', { name: '开启离线提醒' }).waitFor();
    },
  },
];

const channel = { has_secret: false, enabled: true, last_sent_at: null, last_failure: null } as const;

/** One channel for each state of a row. Mocked, because real channels would send to other machines. */
const channels: AlertChannel[] = [
  {
    ...channel,
    id: 1,
    kind: 'bark',
    name: '我的手机',
    hint: 'api.day.app …x7Q2',
    events: ['device_offline', 'device_online', 'new_login'],
    last_sent_at: '2026-11-02T01:00:00.000Z',
  },
  {
    ...channel,
    id: 2,
    kind: 'dingtalk',
    name: '家人群',
    hint: 'oapi.dingtalk.com …9f3a',
    has_secret: true,
    events: ['device_offline'],
    last_failure: { at: '2026-11-02T01:00:00.000Z', why: 'rejected' },
  },
  {
    ...channel,
    id: 3,
    kind: 'webhook',
    name: '一个名字很长很长的自建服务器上的提醒接收程序啊啊啊啊啊啊啊啊啊啊',
    hint: 'a-very-long-host-name-of-somebody.home.example.com:18443 …k3y9',
    events: ['device_offline', 'device_online'],
    enabled: false,
  },
];

const settings: AlertSettings = { offline_after_minutes: 5, channels };

/** Names of the maximum length, as many as one message has. */
const longNames = Array.from(
  { length: 10 },
  (_, index) => `${index + 1} 号楼地下机房第三排机柜里跑着备份和监控的群晖 DS1823+ 存储服务器`,
);

const delivery = { channel: { id: 2, kind: 'dingtalk', name: '家人群' }, failure: null } as const;
const deliveries: AlertDelivery[] = [
  {
    ...delivery,
    id: 3,
    event: 'device_online',
    text: '客厅的群晖 已恢复在线，恢复时间：2026-11-02 09:12（北京时间），离线了 12 分钟',
    created_at: '2026-11-02T01:12:00.000Z',
    state: 'sent',
  },
  {
    ...delivery,
    id: 2,
    event: 'device_offline',
    text: `12 台设备已离线：${longNames.join('、')} 等 12 台，离线时间：2026-11-02 08:55（北京时间），设备一段时间没有回应，可能断电、断网或休眠`,
    created_at: '2026-11-02T01:00:00.000Z',
    state: 'waiting',
    failure: 'timeout',
  },
  {
    ...delivery,
    id: 1,
    event: 'new_login',
    text: '账号有新的登录，浏览器：Chrome · Windows，地点：广东省深圳市（203.0.113.7），时间：2026-11-01 09:00（北京时间）',
    created_at: '2026-11-01T01:00:00.000Z',
    state: 'failed',
    failure: 'rejected',
  },
];

/** The section of an account with several alert channels. */
async function showAlerts(page: Page, at: Place): Promise<void> {
  await page.route('**/api/user/alerts/', (route) => route.fulfill({ json: settings }));
  await visit(page, at, '#/user/info?section=alerts', '家人群');
}

async function showDeliveries(page: Page, at: Place): Promise<Locator> {
  await page.route('**/api/user/alerts/deliveries/*', (route) =>
    route.fulfill({ json: { count: 40, next: 'more', previous: null, results: deliveries } }),
  );
  await showAlerts(page, at);
  await page.getByRole('button', { name: '最近的提醒' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '加载更多' }).waitFor();
  return dialog;
}

async function openNewChannel(page: Page, at: Place, kind: string): Promise<Locator> {
  await visit(page, at, '#/user/info?section=alerts', '还没有提醒方式');
  await page.getByRole('button', { name: '添加提醒方式' }).click();
  const dialog = page.getByRole('dialog', { name: '添加提醒方式' });
  await dialog.getByRole('radio', { name: kind }).check();
  return dialog;
}
