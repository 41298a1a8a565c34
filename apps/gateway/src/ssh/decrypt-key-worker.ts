/**
 * A thread that decrypts one private key. The hash of its passphrase keeps a processor busy for a quarter of a second
 * or more, during which all other sessions would stand still.
 */
import { createPrivateKey } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import ssh2, { type ParsedKey } from 'ssh2';

/** The key without passphrase, or why there is none. */
export type Decrypted = { key: string } | { error: string };

const { privateKey, passphrase } = workerData as { privateKey: string; passphrase: string };
const parsed = ssh2.utils.parseKey(privateKey, passphrase);
const answer: Decrypted = parsed instanceof Error ? { error: parsed.message } : { key: exportKey(parsed) };
parentPort?.postMessage(answer);

/** In a form that ssh2 reads again. It writes Ed25519 as PKCS #8, which it cannot read. */
function exportKey(key: ParsedKey): string {
  return key.type === 'ssh-ed25519' ? exportEd25519(key) : key.getPrivatePEM();
}

/** OpenSSH's PROTOCOL.key, with the cipher "none". */
function exportEd25519(key: ParsedKey): string {
  const { d: seed = '', x: point = '' } = createPrivateKey(key.getPrivatePEM()).export({ format: 'jwk' });
  const publicKey = Buffer.from(point, 'base64url');
  const both = Buffer.concat([Buffer.from(seed, 'base64url'), publicKey]);
  const checks = Buffer.alloc(8);
  const content = Buffer.concat([checks, ...[key.type, publicKey, both, ''].map(asString)]);
  const padding = Buffer.from(Array.from({ length: (8 - (content.length % 8)) % 8 }, (_, index) => index + 1));
  const fields = ['none', 'none', ''].map(asString);
  const one = Buffer.from([0, 0, 0, 1]);
  const lists = [key.getPublicSSH(), Buffer.concat([content, padding])].map(asString);
  const bytes = Buffer.concat([Buffer.from('openssh-key-v1\0'), ...fields, one, ...lists]);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`;
}

function asString(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
