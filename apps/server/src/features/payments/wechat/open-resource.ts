import { createDecipheriv } from 'node:crypto';
import { z } from 'zod';

const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export const SealedResource = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM').optional(),
  ciphertext: z.base64(),
  nonce: z.string().refine((nonce) => Buffer.byteLength(nonce) === NONCE_BYTES),
  associated_data: z.string().default(''),
});

/** Opens what WeChat Pay has encrypted with the APIv3 key. Throws when it was damaged or encrypted with another key. */
export function openResource(apiV3Key: Buffer, sealed: z.output<typeof SealedResource>): string {
  const bytes = Buffer.from(sealed.ciphertext, 'base64');
  // Node accepts shorter tags, which are easier to guess.
  if (bytes.length < TAG_BYTES) throw new Error('a ciphertext without its tag');
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, Buffer.from(sealed.nonce), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(sealed.associated_data));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString();
}
