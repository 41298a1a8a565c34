import { randomBytes } from 'node:crypto';
import { seal, unseal } from '../../db/sealing.ts';
import { hashSecret } from '../../hash-secret.ts';

const CODE_BYTES = 16;

/** Creates the secret of a share link: 128 random bits. */
export function createShareCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}

/** Encrypts the code, so that the owner can see the link again. */
export function sealShareCode(sealingKey: Buffer, code: string): Buffer {
  return seal(sealingKey, code, purposeOf(hashSecret(code)));
}

export function unsealShareCode(sealingKey: Buffer, link: { codeSealed: Buffer; codeHash: Buffer }): string {
  return unseal(sealingKey, link.codeSealed, purposeOf(link.codeHash));
}

function purposeOf(codeHash: Buffer): string {
  return `share link ${codeHash.toString('hex')}`;
}
