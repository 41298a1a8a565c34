import { canonicalAddress } from '@tongtu/base';
import ipaddr from 'ipaddr.js';
import { findVerifiedUntil } from '../verifications/index.ts';
import { closedReason, findVisit, type FindVisitDeps } from './find-visit.ts';

export type RegisteredAddress = { registered: boolean; ip: string; expiresAt: Date | null };

const notRegistered = { registered: false, expiresAt: null };
const alwaysRegistered = { registered: true, expiresAt: null };

/**
 * Whether an address passes without any other proof: at the mapping of `url`, or, without one, as a verified address of
 * any mapping. Throws gate.url-not-allowed.
 */
export async function findRegisteredIp(
  deps: FindVisitDeps,
  { ip: rawIp, url, consoleHost }: { ip: string; url: string | undefined; consoleHost: string },
): Promise<RegisteredAddress> {
  const ip = canonicalAddress(rawIp);
  if (url === undefined) return { ip, ...(await verifiedUntil(deps, ip, undefined)) };
  const visit = await findVisit(deps, { url, consoleHost });
  if (visit.type === 'console') return { ip, ...alwaysRegistered };
  if (visit.type === 'nowhere' || closedReason(visit, deps.nowMs()) !== undefined) return { ip, ...notRegistered };
  const { mapped, device } = visit;
  if (mapped.policy === 'public' || isListed(device.allowList, ip)) return { ip, ...alwaysRegistered };
  return { ip, ...(await verifiedUntil(deps, ip, mapped.mappingId)) };
}

async function verifiedUntil({ db }: FindVisitDeps, visitorIp: string, mappingId: number | undefined) {
  const expiresAt = await findVerifiedUntil(db, { visitorIp, mappingId });
  return expiresAt === undefined ? notRegistered : { registered: true, expiresAt };
}

function isListed(allowList: readonly string[], ip: string): boolean {
  const address = ipaddr.parse(ip);
  return allowList.some((entry) => {
    const [range, bits] = ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${maxBitsOf(entry)}`);
    return range.kind() === address.kind() && address.match(range, bits);
  });
}

function maxBitsOf(address: string): number {
  return ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128;
}
