import { AlertDelivery, pageOf } from '@tongtu/contract';
import { letMinutesPass } from '@tongtu/server/testing/installation';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enrolDevice, startAgent, type Agent } from '../support/product/agent.ts';
import { ApiClient } from '../support/clients/api-client.ts';
import { buttonName, clickForMessage, loggedInProfile, savePageOnFailure } from '../support/browser/browser.ts';
import { inDatabase } from '../support/product/database.ts';
import { createPerson } from '../support/person.ts';
import type { Product } from '../support/product/product.ts';
import { openFlow } from '../support/flow.ts';
import { WebhookReceiver } from '../support/services/webhook-receiver.ts';
import type { Stage } from './stage.ts';

// A flow of one account, in order: each test begins where the one before it ended.

const account = 'owner';
const DEVICE_NAME = '阳台的树莓派';
/** A server sends no alerts in its first minute, so the first absence may be reported late. */
const ALERT_WITHIN_MS = 90_000;

export function testAlerts(stage: () => Stage): void {
  let product: Product;
  let client: ApiClient;
  let receiver: WebhookReceiver;
  let agent: Agent;
  let owner: BrowserContext;
  let page: Page;
  const startStep = openFlow();

  beforeAll(async () => {
    ({ product } = stage());
    await createPerson(product, { account, email: '' });
    client = new ApiClient(product);
    const { token } = await client.logIn(account);
    receiver = await WebhookReceiver.start('secret-of-the-receiver');
    ({ agent } = await enrolDevice(product, client, { token, name: DEVICE_NAME }));
    owner = await loggedInProfile(stage().browser, client);
    page = await owner.newPage();
    await page.goto(product.consoleUrl);
    await page.getByRole('article', { name: DEVICE_NAME }).waitFor();
  });

  afterAll(async () => {
    await owner?.close();
    await agent?.child[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  beforeEach(async ({ task, skip }) => {
    const { isSecondTry } = startStep({ task, skip });
    if (isSecondTry) await page.reload(); // closes dialogs that the first try left open
    savePageOnFailure(`alerts-${task.name.slice(0, 30).replaceAll(' ', '-')}`, () => page);
  });

  const section = (): Locator => page.getByRole('region', { name: '提醒', exact: true });

  /** Opens the menu. */
  async function itemOfDeviceMenu(item: string): Promise<Locator> {
    await page.getByRole('button', { name: `${DEVICE_NAME} 更多操作` }).click();
    return page.getByRole('menuitem', { name: item });
  }

  test('without an alert channel the menu of a device leads to where a webhook is added and tested', async () => {
    await (await itemOfDeviceMenu('设置离线提醒')).click();
    await page.waitForURL(/#\/user\/info\?section=alerts$/);
    await section().getByRole('button', { name: '添加提醒方式' }).click();
    const form = page.getByRole('dialog', { name: '添加提醒方式' });
    await form.getByRole('radio', { name: 'Webhook' }).check();
    await form.getByLabel('网址').fill('ftp://nas.example.com/alerts');
    await form.getByLabel('签名密钥').fill('another-secret');
    await page.keyboard.press('Enter');
    await form.getByText('请输入以 http:// 或 https:// 开头的网址').waitFor();
    await form.getByLabel('网址').fill(receiver.url);
    await form.getByRole('button', { name: buttonName('添加') }).click();

    const offer = page.getByRole('dialog', { name: '提醒方式已添加' });
    await offer.getByRole('button', { name: '发送测试' }).click();
    await offer.getByText(/发送失败：对方拒绝接收/).waitFor();
    await offer.getByRole('button', { name: buttonName('完成') }).click();
    expect(receiver.received).toEqual([]);
  });

  test('a mistyped secret is corrected, and a signed test alert arrives', async () => {
    await section()
      .getByText(/发送失败：对方拒绝接收/)
      .waitFor();
    await section().getByRole('button', { name: '修改 Webhook' }).click();
    const form = page.getByRole('dialog', { name: '修改提醒方式（Webhook）' });
    expect(await form.getByLabel('网址').inputValue()).toBe('');
    await form.getByLabel('签名密钥').fill(receiver.secret);
    await form.getByRole('button', { name: buttonName('保存') }).click();
    await form.getByText('修改密钥时，请一并重新填写地址').waitFor();
    await form.getByLabel('网址').fill(receiver.url);
    await form.getByLabel('名称').fill('我的接收器');
    await form.getByRole('button', { name: buttonName('保存') }).click();
    await form.waitFor({ state: 'hidden' });

    await section().getByRole('button', { name: '发送测试 我的接收器' }).click();
    await section().getByText('测试提醒已发送，请查看是否收到。').waitFor();
    expect(receiver.received).toMatchObject([{ event: 'test', text: expect.stringContaining('我的接收器') }]);
  });

  test('a device that goes offline is reported after the minutes that its owner has chosen', async () => {
    await section().getByRole('combobox', { name: '设备离线多久后提醒' }).click();
    const oneMinute = page.locator('.ant-select-item-option').filter({ hasText: /^1 分钟$/ });
    await clickForMessage(oneMinute, '设备离线 1 分钟后提醒您');
    await agent.child.kill();
    const device = await client.waitForDevice('the device is away', ({ online }) => !online);
    await inDatabase(product, async (db) => await letMinutesPass(db, 2));
    const alert = await receiver.waitForAlert('device_offline', ALERT_WITHIN_MS);
    expect(alert.device).toMatchObject({ uid: device.uid, name: DEVICE_NAME });
    expect(alert.text).toContain(`${DEVICE_NAME} 已离线`);
  });

  test('and reported again when it is back online', async () => {
    agent = await startAgent(product, { stateDir: agent.stateDir });
    await client.waitForDevice('the device is back', ({ online }) => online);
    await inDatabase(product, async (db) => await letMinutesPass(db, 1));
    const alert = await receiver.waitForAlert('device_online', ALERT_WITHIN_MS);
    expect(alert.device).toMatchObject({ name: DEVICE_NAME });
    expect(alert.text).toContain(`${DEVICE_NAME} 已恢复在线`);
    expect(receiver.received.map(({ event }) => event)).toEqual(['test', 'device_offline', 'device_online']);
  });

  test('deliveries are listed with their results, the latest first', async () => {
    // The server stores a result a moment after the receiver has the alert. The list asks for that once in 15 seconds.
    const areStored = async () => {
      const { json } = await client.call('GET', '/api/user/alerts/deliveries/?limit=20&offset=0');
      return pageOf(AlertDelivery)
        .parse(json)
        .results.every(({ state }) => state !== 'waiting');
    };
    await expect.poll(areStored).toBe(true);
    await section().getByText('上次成功').waitFor();
    await section().getByRole('button', { name: '最近的提醒' }).click();
    const list = page.getByRole('dialog', { name: '最近的提醒' }).getByRole('listitem');
    await expect
      .poll(() => list.allInnerTexts())
      .toEqual([
        expect.stringMatching(/阳台的树莓派 已恢复在线[^]*已发送/),
        expect.stringMatching(/阳台的树莓派 已离线[^]*已发送/),
        expect.stringMatching(/测试提醒[^]*已发送/),
        expect.stringMatching(/测试提醒[^]*发送失败[^]*对方没有返回 2xx 状态码/),
      ]);
    await page.keyboard.press('Escape');
    await list.first().waitFor({ state: 'hidden' });
  });

  test('a device without alerts is marked as such until they are switched on again', async () => {
    const isWanted = async () => (await client.devices()).map((device) => device.alerts_enabled);
    await page.goto(`${product.consoleUrl}/#/devices`);
    await clickForMessage(await itemOfDeviceMenu('关闭离线提醒'), `“${DEVICE_NAME}”离线时不再提醒您`);
    const mark = page.getByRole('article', { name: DEVICE_NAME }).getByLabel('离线提醒已关闭');
    await mark.waitFor();
    expect(await isWanted()).toEqual([false]);
    await (await itemOfDeviceMenu('开启离线提醒')).click();
    await mark.waitFor({ state: 'hidden' });
    expect(await isWanted()).toEqual([true]);
  });

  test('a deleted channel sends no more alerts', async () => {
    await page.goto(`${product.consoleUrl}/#/user/info?section=alerts`);
    await section().getByRole('button', { name: '删除 我的接收器' }).click();
    await page
      .getByRole('dialog', { name: '删除“我的接收器”？' })
      .getByRole('button', { name: buttonName('删除') })
      .click();
    await section().getByText('还没有提醒方式').waitFor();
  });
}
