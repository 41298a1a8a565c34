import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { cmac } from '../crypto/cmac.ts';
import { bytesAt, SmbProtocolError } from './fields.ts';

export type SigningKey = { algorithm: 'hmac-sha256' | 'aes-cmac' | 'aes-gmac'; key: Buffer };

const FLAGS_AT = 16;
const SIGNED = 0x8;
const SIGNATURE_AT = 48;
const SIGNATURE_BYTES = 16;

/** Signs a message in place (MS-SMB2 §3.1.4.1). Its first part is the header. */
export function sign(signing: SigningKey, message: readonly [Buffer, ...Uint8Array[]]): void {
  const [header] = message;
  header.writeUInt32LE((header.readUInt32LE(FLAGS_AT) | SIGNED) >>> 0, FLAGS_AT);
  signatureOf(signing, message, 'client').copy(header, SIGNATURE_AT);
}

export function isSigned(message: Buffer): boolean {
  return (message.readUInt32LE(FLAGS_AT) & SIGNED) !== 0;
}

export function verify(signing: SigningKey, message: Buffer): void {
  const signature = Buffer.from(bytesAt(message, SIGNATURE_AT, SIGNATURE_BYTES)); // before its bytes become zeros
  if (!isSigned(message) || !timingSafeEqual(signature, signatureOf(signing, [message], 'server')))
    throw new SmbProtocolError('a reply with a wrong signature');
}

/** With the signature's own bytes as zeros, in the message itself: a copy of each would cost more than the signature. */
function signatureOf(
  { algorithm, key }: SigningKey,
  message: readonly [Buffer, ...Uint8Array[]],
  sender: 'client' | 'server',
): Buffer {
  const [header] = message;
  header.fill(0, SIGNATURE_AT, SIGNATURE_AT + SIGNATURE_BYTES);
  switch (algorithm) {
    case 'hmac-sha256': {
      const hmac = createHmac('sha256', key);
      for (const part of message) hmac.update(part);
      return hmac.digest().subarray(0, SIGNATURE_BYTES);
    }
    case 'aes-cmac':
      return cmac(key, Buffer.concat(message));
    case 'aes-gmac': {
      const nonce = Buffer.alloc(12);
      header.copy(nonce, 0, 24, 32); // the message's id
      nonce[8] = sender === 'server' ? 1 : 0;
      const cipher = createCipheriv('aes-128-gcm', key, nonce);
      for (const part of message) cipher.setAAD(part);
      cipher.final();
      return cipher.getAuthTag();
    }
  }
}
