import { createCipheriv, createSign, createVerify, randomBytes, type KeyObject } from 'node:crypto';

/** WECHATPAY2-SHA256-RSA2048 by WeChat Pay's documentation, without the product's code. */
export function signed(key: KeyObject, text: string): string {
  return createSign('RSA-SHA256').update(text).sign(key, 'base64');
}

export function isSigned(key: KeyObject, text: string, signature: string): boolean {
  return createVerify('RSA-SHA256').update(text).verify(key, signature, 'base64');
}

export type Sealed = { algorithm: 'AEAD_AES_256_GCM'; ciphertext: string; nonce: string; associated_data: string };

/** AEAD_AES_256_GCM with the APIv3 key: the ciphertext is followed by its tag. */
export function seal(apiV3Key: string, text: string, associatedData: string): Sealed {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', apiV3Key, nonce);
  cipher.setAAD(Buffer.from(associatedData));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: ciphertext.toString('base64'),
    nonce,
    associated_data: associatedData,
  };
}

export function beijingText(time: Date): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Shanghai',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(time);
}

export function isoText(time: Date): string {
  return `${beijingText(time).replace(' ', 'T')}+08:00`;
}
