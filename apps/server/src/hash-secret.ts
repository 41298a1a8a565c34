import { createHash } from 'node:crypto';

/** The database stores this hash of a secret and looks it up. A secret of 128 random bits or more needs no slow hash and no salt. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
