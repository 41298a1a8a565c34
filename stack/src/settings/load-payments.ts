import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type PaymentConfig, readPrivateKey, readPublicKey } from '@tongtu/server';
import { OperatorError } from '../operator-error.ts';
import { cannotRead } from './cannot-read.ts';
import type { PaymentSettings } from './payment-settings.ts';

/** Reads the key files of the payment services. Throws OperatorError naming the variable of a file that is wrong. */
export async function loadPayments({ alipay, wechat }: PaymentSettings): Promise<PaymentConfig> {
  return {
    alipay: alipay && {
      appId: alipay.appId,
      sellerId: alipay.sellerId,
      privateKey: await loadKey('ALIPAY_PRIVATE_KEY_FILE', alipay.privateKeyFile, readPrivateKey),
      alipayPublicKey: await loadKey('ALIPAY_PUBLIC_KEY_FILE', alipay.publicKeyFile, readPublicKey),
      gatewayUrl: alipay.gatewayUrl,
    },
    wechat: wechat && {
      merchantId: wechat.merchantId,
      appId: wechat.appId,
      privateKey: await loadKey('WECHATPAY_PRIVATE_KEY_FILE', wechat.privateKeyFile, readPrivateKey),
      certificateSerial: wechat.certificateSerial,
      apiV3Key: Buffer.from(wechat.apiV3Key),
      publicKey: wechat.publicKey && {
        id: wechat.publicKey.id,
        key: await loadKey('WECHATPAY_PUBLIC_KEY_FILE', wechat.publicKey.file, readPublicKey),
      },
      apiUrl: wechat.apiUrl,
    },
  };
}

async function loadKey(variable: string, file: string, read: (text: string) => KeyObject): Promise<KeyObject> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw cannotRead(variable, file, cause);
  });
  try {
    return read(text);
  } catch (cause) {
    const kind = read === readPrivateKey ? '私钥' : '公钥';
    throw new OperatorError(`${variable}：${file} 不是 2048 位以上的 RSA ${kind}`, { cause });
  }
}
