import { createPrivateKey, generateKeyPair, randomBytes, webcrypto, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import 'reflect-metadata'; // must be loaded before @peculiar/x509
import * as x509 from '@peculiar/x509';

export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject };

/** All keys and ids of the fake providers: their own, and those of their one merchant. */
export type FakeKeys = {
  alipay: { appId: string; sellerId: string; app: KeyPair; provider: KeyPair };
  wechat: {
    appId: string;
    merchantId: string;
    merchant: KeyPair;
    merchantSerial: string;
    apiV3Key: string;
    /** 微信支付公钥 */
    publicKeyId: string;
    provider: KeyPair;
    /** 平台证书, of a key of its own. */
    platform: { privateKey: KeyObject; certificate: string; serial: string };
  };
};

const DAY_MS = 86_400_000;
const YEARS_5_MS = 5 * 365 * DAY_MS;
const generate = promisify(generateKeyPair);

export async function makeFakeKeys(): Promise<FakeKeys> {
  const [app, alipay, merchant, wechat, platform] = await Promise.all([
    rsaPair(),
    rsaPair(),
    rsaPair(),
    rsaPair(),
    platformCertificate(),
  ]);
  return {
    alipay: { appId: '9021000000000001', sellerId: '2088000000000001', app, provider: alipay },
    wechat: {
      appId: 'wxfake0000000001',
      merchantId: '1900000001',
      merchant,
      merchantSerial: randomBytes(20).toString('hex').toUpperCase(),
      apiV3Key: randomBytes(16).toString('hex'),
      publicKeyId: `PUB_KEY_ID_01${'19000000012026112400000000'}`,
      provider: wechat,
      platform,
    },
  };
}

async function rsaPair(): Promise<KeyPair> {
  return await generate('rsa', { modulusLength: 2048 });
}

async function platformCertificate(): Promise<FakeKeys['wechat']['platform']> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const serial = `5${randomBytes(19).toString('hex').slice(1)}0`.toUpperCase();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name: 'CN=Fake WeChat Pay Platform Certificate',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + YEARS_5_MS),
    signingAlgorithm: algorithm,
    // Where the browser's types are loaded, its keys know fewer usages than Node's.
    keys: keys as never,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    privateKey: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
    certificate: certificate.toString('pem'),
    serial: certificate.serialNumber.toUpperCase(),
  };
}
