import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { makeFakeKeys, type FakeKeys, type KeyPair } from './fake-keys.ts';

const Pair = z
  .string()
  .transform((pem): KeyPair => ({ privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) }));
const Saved = z.object({
  alipay: z.object({ appId: z.string(), sellerId: z.string(), app: Pair, provider: Pair }),
  wechat: z.object({
    appId: z.string(),
    merchantId: z.string(),
    merchant: Pair,
    merchantSerial: z.string(),
    apiV3Key: z.string(),
    publicKeyId: z.string(),
    provider: Pair,
    platform: z.object({
      privateKey: z.string().transform((pem) => createPrivateKey(pem)),
      certificate: z.string(),
      serial: z.string(),
    }),
  }),
});

/** The keys that were generated in this folder at the first start, so that a configured server stays valid. */
export async function loadFakeKeys(folder: string): Promise<FakeKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'keys.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return Saved.parse(JSON.parse(text));
  const keys = await makeFakeKeys();
  await writePrivate(file, JSON.stringify(keys, writeKeys, 2));
  return keys;
}

/** Writes the files and the environment with which a server uses the fake providers. Returns the environment's file. */
export async function writeServerEnvironment(folder: string, keys: FakeKeys, url: string): Promise<string> {
  const { alipay, wechat } = keys;
  const files = {
    'alipay-app-private-key.pem': privatePem(alipay.app.privateKey),
    'alipay-public-key.pem': publicPem(alipay.provider.publicKey),
    'wechatpay-merchant-private-key.pem': privatePem(wechat.merchant.privateKey),
    'wechatpay-public-key.pem': publicPem(wechat.provider.publicKey),
  };
  for (const [name, pem] of Object.entries(files)) await writePrivate(path.join(folder, name), pem);
  const variables = {
    BILLING: 'on',
    PAYMENT_FAKE: 'on',
    ALIPAY_APP_ID: alipay.appId,
    ALIPAY_SELLER_ID: alipay.sellerId,
    ALIPAY_PRIVATE_KEY_FILE: path.join(folder, 'alipay-app-private-key.pem'),
    ALIPAY_PUBLIC_KEY_FILE: path.join(folder, 'alipay-public-key.pem'),
    ALIPAY_GATEWAY_URL: `${url}/gateway.do`,
    WECHATPAY_APP_ID: wechat.appId,
    WECHATPAY_MERCHANT_ID: wechat.merchantId,
    WECHATPAY_PRIVATE_KEY_FILE: path.join(folder, 'wechatpay-merchant-private-key.pem'),
    WECHATPAY_CERTIFICATE_SERIAL: wechat.merchantSerial,
    WECHATPAY_API_V3_KEY: wechat.apiV3Key,
    WECHATPAY_PUBLIC_KEY_ID: wechat.publicKeyId,
    WECHATPAY_PUBLIC_KEY_FILE: path.join(folder, 'wechatpay-public-key.pem'),
    WECHATPAY_API_URL: url,
  };
  const file = path.join(folder, 'server.env');
  const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  await writePrivate(file, lines.join(''));
  return file;
}

/** A pair is saved as its private key. */
function writeKeys(_: string, value: unknown): unknown {
  const { privateKey } = Object(value) as { privateKey?: unknown };
  const isPair = Object.keys(Object(value)).length === 2 && typeof privateKey === 'object';
  if (isPair) return privatePem(privateKey as KeyObject); // only pairs have these two members
  return value instanceof Object && 'export' in value ? privatePem(value as KeyObject) : value;
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function publicPem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

async function writePrivate(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
}
