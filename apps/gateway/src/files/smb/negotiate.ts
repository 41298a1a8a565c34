import { createHash, randomBytes } from 'node:crypto';
import type { SmbConnection } from './smb-connection.ts';
import type { CipherName } from './wire/encryption.ts';
import { bytesAt, SmbProtocolError, uint16s } from './wire/fields.ts';
import type { SigningKey } from './wire/signing.ts';

const dialects = [0x0210, 0x0300, 0x0302, 0x0311] as const;
export type Dialect = (typeof dialects)[number];

export type Negotiated = {
  dialect: Dialect;
  maxReadBytes: number;
  maxWriteBytes: number;
  maxListBytes: number;
  cipher: CipherName | undefined;
  signing: SigningKey['algorithm'];
  preauth: PreauthHash;
};

const BODY_BYTES = 36;
const CAPABILITY = { largePayloads: 0x4, encryption: 0x40 } as const;
const CONTEXT = { preauth: 1, encryption: 2, signing: 8 } as const;
const SHA_512 = 1;
/** In the order of preference. */
const ciphers = new Map<number, CipherName>([
  [2, 'aes-128-gcm'],
  [4, 'aes-256-gcm'],
  [1, 'aes-128-ccm'],
  [3, 'aes-256-ccm'],
]);
const signings = new Map<number, SigningKey['algorithm']>([
  [2, 'aes-gmac'],
  [1, 'aes-cmac'],
  [0, 'hmac-sha256'],
]);
/** Without large payloads no request may have more. */
const SMALL_BYTES = 65_536;
const LARGE_BYTES = 1024 * 1024;

/** The hash over the messages before the login, from which 3.1.1 derives its keys (MS-SMB2 §3.1.4.4.1). */
class PreauthHash {
  value = Buffer.alloc(64);
  add(message: Buffer): void {
    this.value = createHash('sha512').update(this.value).update(message).digest();
  }
}

/** Agrees on a dialect and its algorithms (MS-SMB2 §2.2.3). */
export async function negotiate(
  connection: SmbConnection,
  offered: readonly Dialect[] = dialects,
): Promise<Negotiated> {
  const preauth = new PreauthHash();
  const { message, body } = await connection.call('negotiate', request(offered), {
    onSend: (sent) => preauth.add(sent),
  });
  preauth.add(message);
  const answered = body.readUInt16LE(4);
  const dialect = offered.find((one) => one === answered);
  if (dialect === undefined) throw new SmbProtocolError(`dialect 0x${answered.toString(16)}`);
  const capabilities = body.readUInt32LE(24);
  connection.hasLargePayloads = (capabilities & CAPABILITY.largePayloads) !== 0;
  const largest = connection.hasLargePayloads ? LARGE_BYTES : SMALL_BYTES;
  const limited = (bytes: number): number => {
    if (bytes < 4_096) throw new SmbProtocolError(`no more than ${bytes} bytes at a time`);
    return Math.min(bytes, largest);
  };
  const common = {
    dialect,
    maxListBytes: Math.min(limited(body.readUInt32LE(28)), 4 * SMALL_BYTES),
    maxReadBytes: limited(body.readUInt32LE(32)),
    maxWriteBytes: limited(body.readUInt32LE(36)),
    preauth,
  };
  if (dialect === 0x0311) return { ...common, ...readContexts(message, body) };
  return {
    ...common,
    cipher: dialect >= 0x0300 && (capabilities & CAPABILITY.encryption) !== 0 ? 'aes-128-ccm' : undefined,
    signing: dialect >= 0x0300 ? 'aes-cmac' : 'hmac-sha256',
  };
}

function request(offered: readonly Dialect[]): Buffer[] {
  const body = Buffer.alloc(BODY_BYTES);
  body.writeUInt16LE(BODY_BYTES);
  body.writeUInt16LE(offered.length, 2);
  body.writeUInt16LE(1, 4); // signing is possible
  body.writeUInt32LE(CAPABILITY.largePayloads | CAPABILITY.encryption, 8);
  randomBytes(16).copy(body, 12); // the client's id
  const names = uint16s(...offered);
  if (!offered.includes(0x0311)) return [body, names];
  const contextsAt = Math.ceil((64 + BODY_BYTES + names.length) / 8) * 8;
  body.writeUInt32LE(contextsAt, 28);
  body.writeUInt16LE(3, 32);
  return [
    body,
    names,
    Buffer.alloc(contextsAt - (64 + BODY_BYTES + names.length)),
    context(CONTEXT.preauth, Buffer.concat([uint16s(1, 32, SHA_512), randomBytes(32)])),
    context(CONTEXT.encryption, uint16s(ciphers.size, ...ciphers.keys())),
    context(CONTEXT.signing, uint16s(signings.size, ...signings.keys())),
  ];
}

function context(type: number, data: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + Math.ceil(data.length / 8) * 8);
  uint16s(type, data.length).copy(bytes);
  data.copy(bytes, 8);
  return bytes;
}

/** What the server has chosen. Without a signing context it is CMAC (MS-SMB2 §3.2.5.2). */
function readContexts(message: Buffer, body: Buffer): Pick<Negotiated, 'cipher' | 'signing'> {
  const chosen: Pick<Negotiated, 'cipher' | 'signing'> = { cipher: undefined, signing: 'aes-cmac' };
  let at = body.readUInt32LE(60);
  for (let left = body.readUInt16LE(6); left > 0; left--) {
    const type = message.readUInt16LE(at);
    const data = bytesAt(message, at + 8, message.readUInt16LE(at + 2));
    if (type === CONTEXT.preauth && data.readUInt16LE(4) !== SHA_512) throw new SmbProtocolError('another hash');
    if (type === CONTEXT.encryption) chosen.cipher = ciphers.get(data.readUInt16LE(2)); // 0: none in common
    if (type === CONTEXT.signing) chosen.signing = known(signings.get(data.readUInt16LE(2)));
    at += 8 + Math.ceil(data.length / 8) * 8;
  }
  return chosen;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new SmbProtocolError('an algorithm that was not offered');
  return value;
}
