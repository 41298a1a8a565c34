import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import { loadPayments } from './load-payments.ts';

const alipay = {
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_SELLER_ID: '2088000000000001',
  ALIPAY_PRIVATE_KEY_FILE: '/keys/app.pem',
  ALIPAY_PUBLIC_KEY_FILE: '/keys/alipay.pem',
};
const wechat = {
  WECHATPAY_MERCHANT_ID: '1900000001',
  WECHATPAY_APP_ID: 'wx0123456789abcdef',
  WECHATPAY_PRIVATE_KEY_FILE: '/keys/apiclient_key.pem',
  WECHATPAY_CERTIFICATE_SERIAL: '5157f09efdc096de15ebe81a47057a7232f1b8e1',
  WECHATPAY_API_V3_KEY: '0123456789abcdef0123456789ABCDEF',
};
const publicKey = {
  WECHATPAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_0119000000012024',
  WECHATPAY_PUBLIC_KEY_FILE: '/keys/pub_key.pem',
};
const on = { BILLING: 'on', PUBLIC_URL: 'https://example.com' };

test('nothing is sold and no payment service is used by default', () => {
  expect(readConfig({}, [])).toMatchObject({ billing: 'off', payments: { alipay: undefined, wechat: undefined } });
  expect(readConfig({ ...alipay, ...wechat }, []).payments).toEqual({ alipay: undefined, wechat: undefined });
});

test('BILLING=on works without a payment service, with one and with both', () => {
  expect(readConfig(on, []).payments).toEqual({ alipay: undefined, wechat: undefined });
  expect(readConfig({ ...on, ...alipay }, []).payments).toEqual({
    alipay: {
      appId: '2021000000000001',
      sellerId: '2088000000000001',
      privateKeyFile: '/keys/app.pem',
      publicKeyFile: '/keys/alipay.pem',
      gatewayUrl: 'https://openapi.alipay.com/gateway.do',
    },
    wechat: undefined,
  });
  expect(readConfig({ ...on, ...alipay, ...wechat, ...publicKey }, []).payments.wechat).toMatchObject({
    merchantId: '1900000001',
    certificateSerial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
    publicKey: { id: 'PUB_KEY_ID_0119000000012024', file: '/keys/pub_key.pem' },
    apiUrl: 'https://api.mch.weixin.qq.com',
  });
  expect(readConfig({ ...on, ...wechat }, []).payments.wechat?.publicKey).toBeUndefined();
});

test.for([
  ...Object.keys(alipay).map((name) => [{ ...on, ...alipay, [name]: '' }, name] as const),
  ...Object.keys(wechat).map((name) => [{ ...on, ...wechat, [name]: '' }, name] as const),
  [{ ...on, ...wechat, WECHATPAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_01' }, 'WECHATPAY_PUBLIC_KEY_FILE'] as const,
  [{ ...on, ...publicKey }, 'WECHATPAY_MERCHANT_ID'] as const,
  [{ ...alipay, ...on, PUBLIC_URL: '' }, 'PUBLIC_URL'] as const,
])('what is missing is named: %j', ([env, missing]) => {
  expect(() => readConfig(env, [])).toThrow(OperatorError);
  expect(() => readConfig(env, [])).toThrow(missing);
});

test.for([
  ['ALIPAY_APP_ID', 'wx123'],
  ['ALIPAY_SELLER_ID', '1234567890123456'],
  ['ALIPAY_GATEWAY_URL', 'openapi.alipay.com'],
  ['WECHATPAY_MERCHANT_ID', 'abc'],
  ['WECHATPAY_APP_ID', '2021'],
  ['WECHATPAY_API_V3_KEY', 'too short'],
  ['WECHATPAY_CERTIFICATE_SERIAL', 'PUB_KEY_ID_1'],
  ['WECHATPAY_PUBLIC_KEY_ID', '5157F09EFDC096DE'],
  ['BILLING', 'yes'],
])('a wrong %s (%s) stops the start', ([name = '', value = '']) => {
  expect(() => readConfig({ ...on, ...alipay, ...wechat, [name]: value }, [])).toThrow(`${name}：`);
});

const fakes = { ALIPAY_GATEWAY_URL: 'http://127.0.0.1:8899/gateway.do', WECHATPAY_API_URL: 'http://127.0.0.1:8899' };

test('addresses without TLS are for fakes, which must be allowed and are refused in production', () => {
  for (const [name, url] of Object.entries(fakes)) {
    const env = { ...on, ...alipay, ...wechat, [name]: url };
    expect(() => readConfig(env, [])).toThrow(`${name} 必须是 https:// 开头的地址，例如 https://`);
    expect(() => readConfig({ ...env, NODE_ENV: 'production' }, [])).toThrow(`${name} 必须是 https://`);
  }
  const faked = { BILLING: 'on', ...alipay, ...wechat, ...fakes, PAYMENT_FAKE: 'on' };
  expect(readConfig(faked, []).payments.alipay?.gatewayUrl).toBe(fakes.ALIPAY_GATEWAY_URL);
  expect(() => readConfig({ ...faked, NODE_ENV: 'production' }, [])).toThrow('PAYMENT_FAKE=on');
  expect(() => readConfig({ PAYMENT_FAKE: 'on', NODE_ENV: 'production' }, [])).toThrow('PAYMENT_FAKE=on');
});

test('key files are read at the start; a wrong one is named by its variable', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'payment-keys-'));
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = async (name: string, text: string | Buffer): Promise<string> => {
    await writeFile(path.join(dir, name), text);
    return path.join(dir, name);
  };
  const app = await file('app', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const own = await file('own', pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'));
  const load = async (changes: object) => {
    const files = { ALIPAY_PRIVATE_KEY_FILE: app, ALIPAY_PUBLIC_KEY_FILE: own };
    return await loadPayments(readConfig({ ...on, ...alipay, ...files, ...changes }, []).payments);
  };

  const loaded = await load({});
  expect(loaded.alipay?.privateKey.type).toBe('private');
  expect(loaded.alipay?.alipayPublicKey.type).toBe('public');
  await expect(load({ ALIPAY_PUBLIC_KEY_FILE: app })).rejects.toThrow('ALIPAY_PUBLIC_KEY_FILE');
  await expect(load({ ALIPAY_PRIVATE_KEY_FILE: own })).rejects.toThrow('ALIPAY_PRIVATE_KEY_FILE');
  await expect(load({ ALIPAY_PRIVATE_KEY_FILE: path.join(dir, 'none') })).rejects.toThrow(
    /无法读取 ALIPAY_PRIVATE_KEY/,
  );
});
