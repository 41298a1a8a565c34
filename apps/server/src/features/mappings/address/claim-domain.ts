import { createHmac } from 'node:crypto';
import { AppError, fieldError, isWildcard, wildcardParent } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockTicketsForUpdate } from '../../../db/lock-tickets.ts';
import { lockUsersForNoKeyUpdate } from '../../../db/lock-user.ts';
import { announceAccessChange } from '../../live/index.ts';
import { insertDeletedMappings } from '../deletion/deleted-mapping-store.ts';
import type { MappingDeps } from '../mapping-deps.ts';
import { assertAddressAllowed } from './public-address.ts';
import {
  deleteMapping,
  findCoveringMapping,
  findMapping,
  findMappingByHost,
  lockMappingsForUpdate,
} from '../mapping-store.ts';

type Claim = {
  userId: number;
  customDomain: string | null | undefined;
  /** The mapping that gets the domain, if it exists already. */
  mappingId?: number;
};
type WantedDomain = { userId: number; domain: string; mappingId: number | undefined };
type TakenDomain = WantedDomain & { holder: { mappingId: number; userId: number } };

/**
 * Runs a write that may claim domains of one user. The first user to claim a domain gets it. If another user has it, a TXT
 * record that names the caller decides: it takes the domain from the other user and deletes their mapping. A wildcard needs
 * such a record always, and so does a name that another user's wildcard covers. `write` calls `prepare` first in its
 * transaction. Throws mapping.domain-taken, mapping.domain-unproven, frpc.wildcard-unproven.
 */
export async function withDomainClaims<Result>(
  deps: MappingDeps,
  claims: readonly Claim[],
  write: (prepare: (tx: Db) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const wanted = claims.flatMap(({ userId, customDomain: domain, mappingId }) =>
    domain ? [{ userId, domain, mappingId }] : [],
  );
  for (const each of wanted) await assertMayClaim(deps, each);
  try {
    return await write(async () => undefined);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'mapping.domain-taken') throw error;
    const taken: TakenDomain[] = [];
    for (const each of wanted) {
      const holder = await findMappingByHost(deps.db, each.domain);
      if (holder !== undefined && holder.userId !== each.userId) taken.push({ ...each, holder });
    }
    if (taken.length === 0) throw error;
    for (const each of taken) await assertProven(deps, each);
    return await write(async (tx) => await takeDomains(tx, taken));
  }
}

/**
 * Looks for the proof that a user needs for a domain that nobody has: see withDomainClaims. Throws mapping.domain-reserved,
 * mapping.domain-unproven, frpc.wildcard-unproven.
 */
export async function assertMayClaim(deps: MappingDeps, claim: { userId: number; domain: string }): Promise<void> {
  if (!(await needsProof(deps.db, claim))) return;
  await assertAddressAllowed(deps.db, deps, { customDomain: claim.domain });
  await assertProven(deps, claim);
}

/** Leaves out what no longer has the domain. The write then finds out whether the domain is free. */
async function takeDomains(tx: Db, taken: readonly TakenDomain[]): Promise<void> {
  // First of all locks, in the order of their ids: both owners may be taking a domain from each other.
  await lockUsersForNoKeyUpdate(
    tx,
    taken.flatMap(({ userId, holder }) => [userId, holder.userId]),
  );
  const ids = taken.flatMap(({ mappingId, holder }) => [holder.mappingId, mappingId]);
  await lockMappingsForUpdate(
    tx,
    ids.filter((id) => id !== undefined),
  );
  for (const { domain, holder } of taken) {
    const { mappingId, userId } = holder;
    const mapping = await findMapping(tx, mappingId, userId);
    if (mapping?.customDomain !== domain) continue;
    await lockTicketsForUpdate(tx, { mappingId });
    await insertDeletedMappings(tx, { mappingId });
    await deleteMapping(tx, mappingId, userId);
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId });
  }
}

/** Of a wildcard, unless it is below one of the user's own, and of a name below another user's. */
async function needsProof(db: Db, { userId, domain }: { userId: number; domain: string }): Promise<boolean> {
  const covering = await findCoveringMapping(db, domain);
  if (covering === undefined) return isWildcard(domain);
  return covering.userId !== userId && covering.customDomain !== domain;
}

async function assertProven(deps: MappingDeps, claim: { userId: number; domain: string }): Promise<void> {
  const { domain } = claim;
  const name = `_tongtu.${isWildcard(domain) ? wildcardParent(domain) : domain}`;
  const proof = domainProof(deps.domainProofKey, claim);
  if ((await deps.resolveTxt(name)).includes(proof)) return;
  const record = `${name} TXT ${proof}`;
  const code = isWildcard(domain) ? 'frpc.wildcard-unproven' : 'mapping.domain-unproven';
  throw fieldError('custom_domain', code, { more: [{ zh: record, en: record }] });
}

/** The proof is public in DNS. It is valid for one user and one domain, and only this installation can create it. */
function domainProof(key: Buffer, { userId, domain }: { userId: number; domain: string }): string {
  return `tongtu-verify=${createHmac('sha256', key).update(`${userId}\n${domain}`).digest('base64url').slice(0, 32)}`;
}
