import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newPayment, openPayments } from './open-payments.ts';
import { loadFakeKeys, startFakePayments, writeServerEnvironment } from './index.ts';

const ids = ['alipay', 'wechat'] as const;
const number = 'P20261124-0001';

async function press(url: string, action: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ action }) });
  return await response.text();
}

test('the fakes refuse to start in production', async () => {
  await expect(startFakePayments({ nodeEnv: 'production' })).rejects.toThrow('NODE_ENV=production');
});

test.for(ids)('%s: the QR code leads to a page with which a buyer pays', async (id) => {
  await using t = await openPayments();
  const { qrText } = await t.provider(id).create(newPayment(number, { subject: '标准版 <1 年>' }));
  const page = await (await fetch(qrText)).text();
  expect(page).toContain('¥26.00');
  expect(page).toContain('标准版 &lt;1 年&gt;');
  expect(await press(qrText, 'cancel')).toContain('已取消');
  expect(await t.provider(id).find(number)).toEqual({ state: 'waiting' });

  expect(await press(qrText, 'pay')).toContain('已支付');

  expect(t.merchant.received).toHaveLength(1);
  expect(await t.provider(id).find(number)).toMatchObject({ state: 'paid', amountFen: 2600 });
  expect(await press(qrText, 'pay')).toContain('已支付'); // a page that was opened twice pays once
  expect(t.fake(id).get(number).payments).toHaveLength(1);
  expect(await (await fetch(t.fakes.url)).text()).toContain(number);
});

test.for([
  ['pay-less', [2599], 1],
  ['pay-twice', [2600, 2600], 2],
  ['pay-silently', [2600], 0],
] as const)('the page’s button %s pays %j with %i notifications', async ([action, amounts, notifications]) => {
  await using t = await openPayments();
  const { qrText } = await t.provider('wechat').create(newPayment(number));
  await press(qrText, action);
  expect(
    t
      .fake('wechat')
      .get(number)
      .payments.map(({ amountFen }) => amountFen),
  ).toEqual(amounts);
  expect(t.merchant.received).toHaveLength(notifications);
});

test('an unknown code and a closed payment cannot be paid', async () => {
  await using t = await openPayments();
  const { qrText } = await t.provider('alipay').create(newPayment(number));
  expect((await fetch(`${t.fakes.url}/pay/alipay/${'0'.repeat(32)}`)).status).toBe(404);
  t.fake('alipay').close(number);
  expect(await press(qrText, 'pay')).toContain('已关闭');
  expect(t.fake('alipay').get(number).payments).toEqual([]);
});

test('a notification that was not accepted is sent again', async () => {
  await using t = await openPayments();
  await using fakes = await startFakePayments({ retryDelaysMs: [1, 1] });
  const provider = t.reopen(() => fakes.config).get('alipay');
  await provider?.create(newPayment(number));
  t.merchant.reply = { status: 200, contentType: 'text/plain', body: 'fail' };
  await fakes.alipay.pay(number);
  await expect.poll(() => t.merchant.received.length).toBe(3);
});

test('the keys of a folder stay the same, are private, and are written for a server', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fake-payments-'));
  const keys = await loadFakeKeys(folder);
  const again = await loadFakeKeys(folder);
  expect(again.wechat.platform.certificate).toBe(keys.wechat.platform.certificate);
  expect(again.wechat.platform.privateKey.equals(keys.wechat.platform.privateKey)).toBe(true);
  expect(again.alipay.provider.privateKey.equals(keys.alipay.provider.privateKey)).toBe(true);
  expect((await stat(path.join(folder, 'keys.json'))).mode & 0o077).toBe(0);

  const file = await writeServerEnvironment(folder, keys, 'http://127.0.0.1:8899');

  const environment = await readFile(file, 'utf8');
  expect(environment).toContain("BILLING='on'\n");
  expect(environment).toContain("ALIPAY_GATEWAY_URL='http://127.0.0.1:8899/gateway.do'\n");
  expect(environment).not.toContain('undefined');
});
