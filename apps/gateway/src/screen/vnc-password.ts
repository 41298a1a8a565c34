import { createCipheriv } from 'node:crypto';

const KEY_BYTES = 8;

/**
 * The answer to a challenge of VNC authentication (RFC 6143 §7.2.2): DES with the password as the key, the bits of each
 * byte in reverse order. Only the first eight bytes of the password count, each letter of which is one.
 */
export function answerVncChallenge(challenge: Buffer, password: string): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  Buffer.from(password, 'latin1').copy(key);
  const reversed = key.map(reverseBits);
  // OpenSSL 3 has no single DES. Triple DES with the same key three times is the same.
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([reversed, reversed, reversed]), null);
  return Buffer.concat([cipher.setAutoPadding(false).update(challenge), cipher.final()]);
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) reversed |= 0x80 >> bit;
  return reversed;
}
