import { type CipherCCM, createCipheriv, createDecipheriv, type DecipherCCM, randomBytes } from 'node:crypto';
import { bytesAt, SmbProtocolError } from './fields.ts';

export type CipherName = 'aes-128-ccm' | 'aes-128-gcm' | 'aes-256-ccm' | 'aes-256-gcm';
export type EncryptionKeys = { cipher: CipherName; toServer: Buffer; fromServer: Buffer };

/** The transform header (MS-SMB2 §2.2.41). All behind the signature is authenticated. */
const HEADER_BYTES = 52;
const PROTOCOL = 0xfd534d42;
const NONCE_AT = 20;

export function isEncrypted(message: Buffer): boolean {
  return message.length >= 4 && message.readUInt32BE(0) === PROTOCOL;
}

export function encrypt({ cipher: name, toServer }: EncryptionKeys, sessionId: bigint, message: Buffer): Buffer[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(PROTOCOL);
  randomBytes(nonceBytes(name)).copy(header, NONCE_AT);
  header.writeUInt32LE(message.length, 36);
  header.writeUInt16LE(1, 42);
  header.writeBigUInt64LE(sessionId, 44);
  const nonce = header.subarray(NONCE_AT, NONCE_AT + nonceBytes(name));
  // The types know CCM and GCM apart; what is used here, both have.
  const cipher = createCipheriv(name as 'aes-128-ccm', toServer, nonce, { authTagLength: 16 }) as CipherCCM;
  cipher.setAAD(header.subarray(NONCE_AT), { plaintextLength: message.length });
  const encrypted = cipher.update(message);
  cipher.final();
  cipher.getAuthTag().copy(header, 4);
  return [header, encrypted];
}

export function decrypt({ cipher: name, fromServer }: EncryptionKeys, sessionId: bigint, message: Buffer): Buffer {
  const header = bytesAt(message, 0, HEADER_BYTES);
  const encrypted = message.subarray(HEADER_BYTES);
  if (header.readBigUInt64LE(44) !== sessionId || header.readUInt32LE(36) !== encrypted.length)
    throw new SmbProtocolError('an encrypted message of another session or length');
  const nonce = header.subarray(NONCE_AT, NONCE_AT + nonceBytes(name));
  const decipher = createDecipheriv(name as 'aes-128-ccm', fromServer, nonce, { authTagLength: 16 }) as DecipherCCM;
  decipher.setAuthTag(header.subarray(4, 20));
  decipher.setAAD(header.subarray(NONCE_AT), { plaintextLength: encrypted.length });
  try {
    const decrypted = decipher.update(encrypted);
    decipher.final();
    return decrypted;
  } catch (error) {
    throw new SmbProtocolError('a message that is not encrypted with the key of the session', { cause: error });
  }
}

function nonceBytes(name: CipherName): number {
  return name.endsWith('gcm') ? 12 : 11;
}
