import type { Db } from '../../db/driver.ts';
import { claimPasskeyAnswer, type PasskeyCall } from './passkeys/passkey.ts';
import type { ChallengeBinding } from './passkeys/passkey-challenge-store.ts';
import { claimRecoveryCode } from './codes/recovery-code.ts';
import { claimTotpCode } from './codes/totp.ts';

export type FactorKeys = { sealingKey: Buffer; recoveryKey: Buffer };

/** One of the three ways to show a second factor. */
export type FactorProof = { code: string } | { recovery_code: string } | { passkey: Record<string, unknown> };

/**
 * Uses a proof of the account up: right once, whoever brings it at the same time. Throws `second-factor.expired` for a
 * passkey's answer that nobody waits for.
 */
export async function useFactor(
  tx: Db,
  keys: FactorKeys,
  { proof, binding, call }: { proof: FactorProof; binding: ChallengeBinding; call: PasskeyCall },
): Promise<boolean> {
  const { userId } = binding;
  if ('code' in proof) return await claimTotpCode(tx, keys.sealingKey, { userId, code: proof.code, state: 'on' });
  if ('passkey' in proof) return await claimPasskeyAnswer(tx, call, { binding, response: proof.passkey });
  return await claimRecoveryCode(tx, keys.recoveryKey, { userId, code: proof.recovery_code });
}
