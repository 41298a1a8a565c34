import { createSecretKey } from 'node:crypto';
import type { Client } from 'ssh2';

/** Of AES-GCM, which ssh2 prefers: it makes a cipher for each packet. */
type Ciphers = { _protocol?: { _cipher?: { _encKey?: unknown }; _decipher?: { _decipherKey?: unknown } } };

/**
 * Replaces the bytes of the session's keys by KeyObjects. From bytes Node.js makes a KeyObject for each packet, which
 * takes a third of the time of a download. To be called after each key exchange.
 */
export function prepareCipherKeys(client: Client): void {
  const { _protocol: protocol } = client as unknown as Ciphers; // of ssh2, which does not type it
  const { _cipher: cipher, _decipher: decipher } = protocol ?? {};
  if (cipher && Buffer.isBuffer(cipher._encKey)) cipher._encKey = createSecretKey(cipher._encKey);
  if (decipher && Buffer.isBuffer(decipher._decipherKey))
    decipher._decipherKey = createSecretKey(decipher._decipherKey);
}
