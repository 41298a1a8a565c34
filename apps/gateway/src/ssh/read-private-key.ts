import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ParsedKey } from 'ssh2';
import { TargetError } from '../session/live-session.ts';
import { CredentialsError, type SshCredentials } from './credentials.ts';
import type { Decrypted } from './decrypt-key-worker.ts';
import { ssh2 } from './ssh2.ts';

/** Each costs about 15 ms in a thread of its own. ssh-keygen takes 16 or 24, careful people 100. */
const MAX_ROUNDS = 500;
const MAGIC = Buffer.from('openssh-key-v1\0');

/** Throws a CredentialsError when the passphrase is missing or wrong, and a TargetError when it is no private key. */
export async function readPrivateKey({ privateKey, passphrase }: SshCredentials): Promise<ParsedKey | undefined> {
  if (privateKey === undefined) return undefined;
  const text = privateKey.replaceAll('\r\n', '\n').trim();
  const rounds = roundsOf(text);
  if (rounds > MAX_ROUNDS) throw new TargetError('key-unreadable');
  const isSlow = rounds > 0 && passphrase !== undefined;
  const key = ssh2.utils.parseKey(isSlow ? await decrypt(text, passphrase) : text, passphrase);
  if (key instanceof Error) throw unreadable(key.message);
  if (!key.isPrivateKey()) throw new TargetError('key-unreadable');
  return key;
}

async function decrypt(privateKey: string, passphrase: string): Promise<string> {
  const thread = new Worker(new URL('decrypt-key-worker.ts', import.meta.url), {
    workerData: { privateKey, passphrase },
  });
  const [answer] = (await once(thread, 'message')) as [Decrypted]; // it sends nothing else
  if ('error' in answer) throw unreadable(answer.error);
  return answer.key;
}

function unreadable(message: string): Error {
  if (message.includes('no passphrase given')) return new CredentialsError({ refused: false, wanted: ['passphrase'] });
  if (/bad passphrase/i.test(message)) return new CredentialsError({ refused: true, wanted: ['passphrase'] });
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
