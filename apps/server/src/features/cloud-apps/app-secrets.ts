import type { CloudAppSecrets } from '@tongtu/contract';
import { z } from 'zod';
import { seal, unseal } from '../../db/sealing.ts';

/** As they are sealed: those that are stored. */
const StoredSecrets = z.object({
  password: z.string().optional(),
  private_key: z.string().optional(),
  passphrase: z.string().optional(),
});
export type StoredSecrets = z.infer<typeof StoredSecrets>;
type SecretName = keyof StoredSecrets;

export type SealedSecrets = { secretsSealed: Buffer | null; storedSecrets: SecretName[] };

const names: readonly SecretName[] = ['password', 'private_key', 'passphrase'];

/** Changes the stored secrets: a text replaces one, null deletes it. A passphrase does not outlive its private key. */
export function changeSecrets(stored: StoredSecrets, given: CloudAppSecrets): StoredSecrets {
  const before = given.private_key === undefined ? stored : { ...stored, passphrase: undefined };
  const after: StoredSecrets = {};
  for (const name of names) {
    const value = given[name] === undefined ? before[name] : given[name];
    if (typeof value === 'string') after[name] = value;
  }
  if (after.private_key === undefined) delete after.passphrase;
  return after;
}

/** Seals them for this app alone. */
export function sealSecrets(sealingKey: Buffer, appId: number, secrets: StoredSecrets): SealedSecrets {
  const storedSecrets = names.filter((name) => secrets[name] !== undefined);
  const isEmpty = storedSecrets.length === 0;
  const secretsSealed = isEmpty ? null : seal(sealingKey, JSON.stringify(secrets), sealingPurpose(appId));
  return { secretsSealed, storedSecrets };
}

export function unsealSecrets(sealingKey: Buffer, appId: number, sealed: Buffer | null): StoredSecrets {
  return sealed === null ? {} : StoredSecrets.parse(JSON.parse(unseal(sealingKey, sealed, sealingPurpose(appId))));
}

function sealingPurpose(appId: number): string {
  return `cloud app ${appId}`;
}
