import type { Db } from '../../db/driver.ts';
import { verifyPasskeyAnswer, type PasskeyCall } from './passkeys/passkey.ts';
import type { ChallengeBinding } from './passkeys/passkey-challenge-store.ts';
import { claimRecoveryCode } from './codes/recovery-code.ts';
import { claimTotpCode } from './codes/totp.ts';

export type FactorKeys = { sealingKey: Buffer; recoveryKey: Buffer };

/** Proof of one of the three second factors. */
export type FactorProof = { code: string } | { recovery_code: string } | { passkey: Record<string, unknown> };

/**
 * Uses a proof: of several concurrent calls with the same proof one returns true. Throws `second-factor.expired` for a
 * passkey's answer without a challenge.
 */
export async function useFactor(
  tx: Db,
  keys: FactorKeys,
  { proof, binding, call }: { proof: FactorProof; binding: ChallengeBinding; call: PasskeyCall },
): Promise<boolean> {
  const { userId } = binding;
  if ('code' in proof) return await claimTotpCode(tx, keys.sealingKey, { userId, code: proof.code, state: 'on' });
  if ('passkey' in proof) return await verifyPasskeyAnswer(tx, call, { binding, response: proof.passkey });
  return await claimRecoveryCode(tx, keys.recoveryKey, { userId, code: proof.recovery_code });
}
