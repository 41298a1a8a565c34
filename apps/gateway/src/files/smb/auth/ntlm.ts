import { createHmac, randomBytes } from 'node:crypto';
import { md4 } from '../crypto/md4.ts';
import { rc4 } from '../crypto/rc4.ts';
import { bytesAt, fileTimeOf, SmbProtocolError, uint16s, utf16 } from '../wire/fields.ts';

export type NtlmLogin = { username: string; password: string; domain: string };

const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1');
const KEY_EXCHANGE = 0x40000000;
/** Unicode, target, sign, NTLM, always sign, extended security, target info, version, 128 bit, key exchange, 56 bit. */
const FLAGS =
  (0x1 | 0x4 | 0x10 | 0x200 | 0x8000 | 0x80000 | 0x800000 | 0x2000000 | 0x20000000 | KEY_EXCHANGE | 0x80000000) >>> 0;
const VERSION = Buffer.from([10, 0, 0, 0, 0, 0, 0, 15]);
const AV_END = 0;
const AV_FLAGS = 6;
const AV_TIMESTAMP = 7;
/** The flag that says that the message has an integrity code. */
const HAS_MIC = 2;
const MIC_AT = 72;
const AUTHENTICATE_HEADER_BYTES = 88;

/** The first message (MS-NLMP §2.2.1.1). */
export function ntlmNegotiate(): Buffer {
  const message = Buffer.alloc(40);
  SIGNATURE.copy(message);
  message.writeUInt32LE(1, 8);
  message.writeUInt32LE(FLAGS, 12);
  VERSION.copy(message, 32);
  return message;
}

export type NtlmAnswer = { message: Buffer; sessionKey: Buffer; hasKeyExchange: boolean };

/** The answer to the challenge by NTLMv2 (MS-NLMP §3.3.2). */
export function ntlmAuthenticate(negotiate: Buffer, challenge: Buffer, login: NtlmLogin): NtlmAnswer {
  if (challenge.length < 48 || challenge.readUInt32LE(8) !== 2) throw new SmbProtocolError('no NTLM challenge');
  const { username, password, domain } = login;
  const flags = (challenge.readUInt32LE(20) & FLAGS) >>> 0;
  const hasKeyExchange = (flags & KEY_EXCHANGE) !== 0;
  const targetInfo = bytesAt(challenge, challenge.readUInt32LE(44), challenge.readUInt16LE(40));
  const { pairs, timestamp } = readTargetInfo(targetInfo);
  const key = hmacMd5(md4(utf16(password)), utf16(username.toUpperCase() + domain));
  const ending = timestamp ? [uint16s(AV_FLAGS, 4, HAS_MIC, 0), uint16s(AV_END, 0)] : [uint16s(AV_END, 0)];
  const blob = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    timestamp ?? fileTimeOf(Date.now()),
    randomBytes(8),
    Buffer.alloc(4),
    pairs,
    ...ending,
    Buffer.alloc(4),
  ]);
  const proof = hmacMd5(key, bytesAt(challenge, 24, 8), blob);
  const baseKey = hmacMd5(key, proof);
  const sessionKey = hasKeyExchange ? randomBytes(16) : baseKey;
  const message = authenticateMessage(flags, [
    Buffer.alloc(24), // no answer of the old kind
    Buffer.concat([proof, blob]),
    utf16(domain),
    utf16(username),
    utf16('TONGTU'),
    hasKeyExchange ? rc4(baseKey, sessionKey) : Buffer.alloc(0),
  ]);
  if (timestamp) hmacMd5(sessionKey, negotiate, challenge, message).copy(message, MIC_AT);
  return { message, sessionKey, hasKeyExchange };
}

/** The pairs without their end, and the time of the server. */
function readTargetInfo(info: Buffer): { pairs: Buffer; timestamp: Buffer | undefined } {
  let timestamp: Buffer | undefined;
  let at = 0;
  while (at + 4 <= info.length) {
    const id = info.readUInt16LE(at);
    if (id === AV_END) break;
    const value = bytesAt(info, at + 4, info.readUInt16LE(at + 2));
    if (id === AV_TIMESTAMP) timestamp = bytesAt(value, 0, 8);
    at += 4 + value.length;
  }
  return { pairs: info.subarray(0, at), timestamp };
}

function authenticateMessage(flags: number, fields: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(AUTHENTICATE_HEADER_BYTES);
  SIGNATURE.copy(header);
  header.writeUInt32LE(3, 8);
  let offset = AUTHENTICATE_HEADER_BYTES;
  fields.forEach((field, index) => {
    uint16s(field.length, field.length).copy(header, 12 + index * 8);
    header.writeUInt32LE(offset, 16 + index * 8);
    offset += field.length;
  });
  header.writeUInt32LE(flags, 60);
  VERSION.copy(header, 64);
  return Buffer.concat([header, ...fields]);
}

function hmacMd5(key: Buffer, ...parts: Buffer[]): Buffer {
  const hmac = createHmac('md5', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
