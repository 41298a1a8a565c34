import { canonicalAddress } from '@tongtu/base';
import { denialOf } from '@tongtu/contract';
import { findVerifiedUntil } from '../verifications/index.ts';
import { accessRulesOf, findVisit, type FindVisitDeps } from './find-visit.ts';

export type RegisteredAddress = { registered: boolean; ip: string; expiresAt: Date | null };

const notRegistered = { registered: false, expiresAt: null };
const alwaysRegistered = { registered: true, expiresAt: null };

/**
 * Whether an address passes without any other proof: at the mapping of `url`, or, without `url`, as a verified address of any
 * mapping. Throws gate.url-not-allowed.
 */
export async function findRegisteredIp(
  deps: FindVisitDeps,
  { ip: rawIp, url, consoleHost }: { ip: string; url: string | undefined; consoleHost: string },
): Promise<RegisteredAddress> {
  const ip = canonicalAddress(rawIp);
  if (url === undefined) return { ip, ...(await verifiedUntil(deps, ip, undefined)) };
  const visit = await findVisit(deps, { url, consoleHost });
  if (visit.type === 'console') return { ip, ...alwaysRegistered };
  if (visit.type === 'nowhere') return { ip, ...notRegistered };
  const denial = denialOf(accessRulesOf(visit), { address: ip, proof: undefined }, deps.wallClockMs());
  if (denial === undefined) return { ip, ...alwaysRegistered };
  if (denial !== 'needs-verification') return { ip, ...notRegistered };
  return { ip, ...(await verifiedUntil(deps, ip, visit.mapped.mappingId)) };
}

async function verifiedUntil({ db }: FindVisitDeps, visitorIp: string, mappingId: number | undefined) {
  const expiresAt = await findVerifiedUntil(db, { visitorIp, mappingId });
  return expiresAt === undefined ? notRegistered : { registered: true, expiresAt };
}
