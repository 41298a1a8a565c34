import { createHash, createHmac } from 'node:crypto';
import { rc4 } from '../crypto/rc4.ts';
import { bytesAt, SmbProtocolError } from '../wire/fields.ts';
import type { NtlmAnswer } from './ntlm.ts';

const NTLMSSP = Buffer.from('NTLMSSP\0', 'latin1');
/** 1.3.6.1.5.5.2 */
const SPNEGO_OID = Buffer.from('06062b0601050502', 'hex');
/** A list with NTLMSSP, 1.3.6.1.4.1.311.2.2.10, alone. */
const MECHANISMS = Buffer.from('300c060a2b06010401823702020a', 'hex');
const MAX_DEPTH = 16;

/** The first token (RFC 4178 §4.2.1) around an NTLM message. */
export function spnegoInit(ntlm: Buffer): Buffer {
  return der(0x60, SPNEGO_OID, der(0xa0, der(0x30, der(0xa0, MECHANISMS), der(0xa2, der(4, ntlm)))));
}

/** The answer to a challenge. Samba wants the code over the mechanisms because the NTLM message has one of its own. */
export function spnegoAnswer(answer: NtlmAnswer): Buffer {
  return der(0xa1, der(0x30, der(0xa2, der(4, answer.message)), der(0xa3, der(4, mechanismCode(answer)))));
}

/** The NTLM message inside a token; some servers send it bare. */
export function ntlmIn(token: Buffer): Buffer {
  if (isNtlm(token)) return token;
  const found = findNtlm(token, 0);
  if (found === undefined) throw new SmbProtocolError('the target offers no NTLM login');
  return found;
}

function findNtlm(der: Buffer, depth: number): Buffer | undefined {
  for (let at = 0; at + 2 <= der.length && depth < MAX_DEPTH;) {
    const tag = der.readUInt8(at);
    const first = der.readUInt8(at + 1);
    const lengthBytes = first & 0x80 ? first & 0x7f : 0;
    if (lengthBytes > 4 || first === 0x80) throw new SmbProtocolError('a DER length that cannot be read');
    const length = lengthBytes > 0 ? der.readUIntBE(at + 2, lengthBytes) : first;
    const value = bytesAt(der, at + 2 + lengthBytes, length);
    if (tag === 4 && isNtlm(value)) return value;
    const inside = tag & 0x20 ? findNtlm(value, depth + 1) : undefined;
    if (inside !== undefined) return inside;
    at += 2 + lengthBytes + length;
  }
  return undefined;
}

function isNtlm(bytes: Buffer): boolean {
  return bytes.subarray(0, NTLMSSP.length).equals(NTLMSSP);
}

/** The code over the mechanisms, as NTLM signs its first message (MS-NLMP §3.4.4.2). */
function mechanismCode({ sessionKey, hasKeyExchange }: NtlmAnswer): Buffer {
  const key = (use: string): Buffer =>
    createHash('md5').update(sessionKey).update(`session key to client-to-server ${use} key magic constant\0`).digest();
  const sequence = Buffer.alloc(4);
  const code = createHmac('md5', key('signing')).update(sequence).update(MECHANISMS).digest().subarray(0, 8);
  return Buffer.concat([Buffer.from([1, 0, 0, 0]), hasKeyExchange ? rc4(key('sealing'), code) : code, sequence]);
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const header =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), value]);
}
