import { createHmac } from 'node:crypto';
import { AppError, fieldError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import type { MappingDeps } from './mapping-deps.ts';
import { deleteMappingOfDomain, findMappingByHost } from './mapping-store.ts';

type Claim = { userId: number; customDomain: string | null | undefined };

/**
 * Runs a write that may want a domain. The first to ask for a domain has it; where that was another user, DNS decides:
 * a TXT record that names the caller takes the domain from them, together with their mapping, which is nothing without it.
 * `prepare` must be called first in the write's transaction. Throws mapping.domain-taken, mapping.domain-unproven.
 */
export async function claimingDomain<Result>(
  deps: MappingDeps,
  { userId, customDomain }: Claim,
  write: (prepare: (tx: Db) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  try {
    return await write(async () => undefined);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'mapping.domain-taken' || !customDomain) throw error;
    const holder = await findMappingByHost(deps.db, customDomain);
    if (holder?.userId === userId) throw error;
    await assertProven(deps, { userId, domain: customDomain });
    return await write(async (tx) => {
      const lost = await deleteMappingOfDomain(tx, customDomain);
      if (lost) await announceDeviceChange(tx, lost);
    });
  }
}

async function assertProven(deps: MappingDeps, claim: { userId: number; domain: string }): Promise<void> {
  const name = `_tongtu.${claim.domain}`;
  const proof = domainProof(deps.domainProofKey, claim);
  if ((await deps.resolveTxt(name)).includes(proof)) return;
  throw fieldError('custom_domain', 'mapping.domain-unproven', { more: [`${name} TXT ${proof}`] });
}

/** May be read by anyone in DNS: it stands for one user and one domain, and nobody can make another user's. */
function domainProof(key: Buffer, { userId, domain }: { userId: number; domain: string }): string {
  return `tongtu-verify=${createHmac('sha256', key).update(`${userId}\n${domain}`).digest('base64url').slice(0, 32)}`;
}
