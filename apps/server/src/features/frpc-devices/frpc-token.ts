import { randomBytes } from 'node:crypto';
import { seal, unseal } from '../../db/sealing.ts';

const TOKEN_BYTES = 32;

export function randomToken(): string {
  return `tf_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** frp encrypts its control stream with the token itself, so that relays need it as it is: a hash is not enough. */
export function createFrpcToken(sealingKey: Buffer, uid: string): { token: string; sealed: Buffer } {
  const token = randomToken();
  return { token, sealed: sealFrpcToken(sealingKey, { uid, token }) };
}

/** The token of the device with this uid, as the database keeps it. */
export function sealFrpcToken(sealingKey: Buffer, { uid, token }: { uid: string; token: string }): Buffer {
  return seal(sealingKey, token, purposeOf(uid));
}

/** The secret of the device with this uid, in plain text. */
export function readFrpcToken(sealingKey: Buffer, device: { uid: string; sealed: Buffer }): string {
  return unseal(sealingKey, device.sealed, purposeOf(device.uid));
}

function purposeOf(uid: string): string {
  return `frpc-token:${uid}`;
}
