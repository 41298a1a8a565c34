import { randomBytes } from 'node:crypto';
import { seal, unseal } from '../../db/sealing.ts';

const TOKEN_BYTES = 32;

/** frp encrypts its control stream with the token itself, so that relays need it as it is: a hash is not enough. */
export function createFrpcToken(sealingKey: Buffer, uid: string): { token: string; sealed: Buffer } {
  const token = `tf_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  return { token, sealed: seal(sealingKey, token, purposeOf(uid)) };
}

/** The secret of the device with this uid, in plain text. */
export function readFrpcToken(sealingKey: Buffer, device: { uid: string; sealed: Buffer }): string {
  return unseal(sealingKey, device.sealed, purposeOf(device.uid));
}

function purposeOf(uid: string): string {
  return `frpc-token:${uid}`;
}
