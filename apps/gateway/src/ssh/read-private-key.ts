import ssh2, { type ParsedKey } from 'ssh2';
import { TargetError } from '../sessions/live-session.ts';
import { CredentialsError, type SshCredentials } from './credentials.ts';

/** Each costs about 15 ms. ssh-keygen takes 16 or 24. */
const MAX_ROUNDS = 100;
const MAGIC = Buffer.from('openssh-key-v1\0');

/** Throws a CredentialsError when the passphrase is missing or wrong, and a TargetError when it is no private key. */
export function readPrivateKey({ privateKey, passphrase }: SshCredentials): ParsedKey | undefined {
  if (privateKey === undefined) return undefined;
  const text = privateKey.replaceAll('\r\n', '\n').trim();
  if (roundsOf(text) > MAX_ROUNDS) throw new TargetError('key-unreadable');
  const parsed: ParsedKey | ParsedKey[] | Error = ssh2.utils.parseKey(text, passphrase); // its type lacks the array
  if (parsed instanceof Error) throw unreadable(parsed, passphrase);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key?.isPrivateKey() !== true) throw new TargetError('key-unreadable');
  return key;
}

function unreadable({ message }: Error, passphrase: string | undefined): Error {
  if (message.includes('no passphrase given')) return new CredentialsError({ refused: false, wanted: ['passphrase'] });
  if (passphrase !== undefined && /bad passphrase/i.test(message))
    return new CredentialsError({ refused: true, wanted: ['passphrase'] });
  return new TargetError('key-unreadable');
}

/** How long an encrypted key of OpenSSH keeps the processor busy; 0 for the other formats, which cost nothing. */
function roundsOf(text: string): number {
  const [, base64] = /^-----BEGIN OPENSSH PRIVATE KEY-----\n([^-]+)/.exec(text) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return 0;
  const cipher = readString(bytes, MAGIC.length);
  const kdf = readString(bytes, cipher.end);
  const kdfOptions = readString(bytes, kdf.end);
  const salt = readString(kdfOptions.content, 0);
  return salt.end + 4 <= kdfOptions.content.length ? kdfOptions.content.readUInt32BE(salt.end) : 0;
}

function readString(bytes: Buffer, at: number): { content: Buffer; end: number } {
  if (at + 4 > bytes.length) return { content: Buffer.alloc(0), end: bytes.length };
  const end = Math.min(at + 4 + bytes.readUInt32BE(at), bytes.length);
  return { content: bytes.subarray(at + 4, end), end };
}
