import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Db } from '../../../db/driver.ts';
import { seal, unseal } from '../../../db/sealing.ts';
import { claimTotpStep, findSealedTotp, type TotpState } from './totp-store.ts';

const ISSUER = '通途';
const STEP_SECONDS = 30;

/** Creates a secret for an authenticator app, and the `otpauth:` URI that the app reads from a QR code. */
export function createTotpSecret(label: string): { secret: string; uri: string } {
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: ISSUER, label, secret, period: STEP_SECONDS }) };
}

export function sealTotpSecret(sealingKey: Buffer, userId: number, secret: string): Buffer {
  return seal(sealingKey, secret, sealingPurpose(userId));
}

/**
 * Uses a code of the account's app: that of the current, the previous or the next time step, each once. Returns whether it
 * was right.
 */
export async function claimTotpCode(
  tx: Db,
  sealingKey: Buffer,
  { userId, code, state }: { userId: number; code: string; state: TotpState },
): Promise<boolean> {
  const sealed = await findSealedTotp(tx, userId, state);
  if (!sealed) return false;
  const secret = unseal(sealingKey, sealed, sealingPurpose(userId));
  const checked = verifySync({ secret, token: code, period: STEP_SECONDS, epochTolerance: STEP_SECONDS });
  if (!checked.valid || !('timeStep' in checked)) return false;
  return await claimTotpStep(tx, { userId, state, step: checked.timeStep });
}

function sealingPurpose(userId: number): string {
  return `totp:${userId}`;
}
