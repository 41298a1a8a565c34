import { createHash } from 'node:crypto';

/** What the database keeps of a secret and finds it by. 128 random bits and more need no slow hash and no salt. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
