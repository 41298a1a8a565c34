import { createHmac } from 'node:crypto';
import { TargetError } from '../../session/live-session.ts';
import { ntlmAuthenticate, type NtlmLogin, ntlmNegotiate } from './auth/ntlm.ts';
import { ntlmIn, spnegoAnswer, spnegoInit } from './auth/spnego.ts';
import type { Negotiated } from './negotiate.ts';
import type { SmbCall, SmbConnection, SmbReply } from './smb-connection.ts';
import { SmbStatusError, STATUS } from './smb-errors.ts';
import { bytesAt, SmbProtocolError, uint32s } from './wire/fields.ts';
import { isSigned, verify } from './wire/signing.ts';

const SESSION_FLAG = { guestOrAnonymous: 0x3, encrypted: 0x4 } as const;

/** Logs in by NTLMv2 (MS-SMB2 §2.2.5) and sets the connection's keys. */
export async function logIn(connection: SmbConnection, negotiated: Negotiated, login: NtlmLogin): Promise<void> {
  const { preauth } = negotiated;
  const onSend = (message: Buffer): void => preauth.add(message);
  const negotiate = ntlmNegotiate();
  const challenge = await setUp(connection, spnegoInit(negotiate), { accepted: [STATUS.moreProcessing], onSend });
  if (challenge.status !== STATUS.moreProcessing) throw new SmbProtocolError('a login without a challenge');
  preauth.add(challenge.message);
  connection.sessionId = challenge.message.readBigUInt64LE(40);
  const answer = ntlmAuthenticate(negotiate, ntlmIn(tokenOf(challenge)), login);
  const result = await setUp(connection, spnegoAnswer(answer), { onSend });
  const flags = result.body.readUInt16LE(2);
  if (flags & SESSION_FLAG.guestOrAnonymous) {
    // Nothing is signed then. With a password the user wants more than a guest has.
    if (login.password !== '') throw new TargetError('login-failed');
    return;
  }
  setKeys(connection, negotiated, answer.sessionKey);
  connection.mustEncrypt = (flags & SESSION_FLAG.encrypted) !== 0;
  if (connection.mustEncrypt && connection.encryption === undefined) throw new SmbProtocolError('no cipher in common');
  if (connection.signing && (negotiated.dialect === 0x0311 || isSigned(result.message)))
    verify(connection.signing, result.message);
}

async function setUp(connection: SmbConnection, token: Buffer, call: SmbCall): Promise<SmbReply> {
  const body = Buffer.alloc(24);
  body.writeUInt16LE(25);
  body[3] = 1; // signing is possible
  body.writeUInt16LE(88, 12);
  body.writeUInt16LE(token.length, 14);
  try {
    return await connection.call('sessionSetup', [body, token], call);
  } catch (error) {
    throw error instanceof SmbStatusError ? new TargetError('login-failed', { cause: error }) : error;
  }
}

function tokenOf({ message, body }: SmbReply): Buffer {
  return bytesAt(message, body.readUInt16LE(4), body.readUInt16LE(6));
}

function setKeys(connection: SmbConnection, { dialect, signing, cipher, preauth }: Negotiated, session: Buffer): void {
  if (dialect === 0x0210) {
    connection.signing = { algorithm: signing, key: session };
    return;
  }
  const bits = cipher?.startsWith('aes-256') === true ? 256 : 128;
  const derive = (label: string, oldLabel: string, oldContext: string, keyBits: number): Buffer =>
    dialect === 0x0311
      ? deriveKey(session, label, preauth.value, keyBits)
      : deriveKey(session, oldLabel, Buffer.from(`${oldContext}\0`), keyBits);
  connection.signing = { algorithm: signing, key: derive('SMBSigningKey', 'SMB2AESCMAC', 'SmbSign', 128) };
  if (cipher === undefined) return;
  connection.encryption = {
    cipher,
    toServer: derive('SMBC2SCipherKey', 'SMB2AESCCM', 'ServerIn ', bits),
    fromServer: derive('SMBS2CCipherKey', 'SMB2AESCCM', 'ServerOut', bits),
  };
}

/** SP800-108 in counter mode, as MS-SMB2 §3.1.4.2 uses it. */
function deriveKey(key: Buffer, label: string, context: Buffer, bits: number): Buffer {
  const hmac = createHmac('sha256', key)
    .update(uint32s(1).reverse())
    .update(`${label}\0`)
    .update(Buffer.from([0]));
  return hmac
    .update(context)
    .update(uint32s(bits).reverse())
    .digest()
    .subarray(0, bits / 8);
}
