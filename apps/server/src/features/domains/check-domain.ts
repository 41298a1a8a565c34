import { unlessAborted } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { isAddressAllowed } from '../../http/public-address.ts';
import type { NameServers } from '../certificates/index.ts';
import { announceDeviceChange, announceDeviceList } from '../live/index.ts';
import { type AskDeps, isAnsweredHere } from './ask-domain.ts';
import { claimDomainOf, type DomainStatus, type DueDomain, recordDomainCheck } from './domain-check-store.ts';
import { findDomainAddresses } from './find-domain-addresses.ts';
import { nextCheckInSeconds } from './next-check.ts';

export type DomainCheckDeps = AskDeps & {
  db: Db;
  nameServers: NameServers;
  /** How long one check may take; a claim lasts longer. 20 seconds where it is not set. */
  limitMs?: number;
};

const LIMIT_MS = 20_000;
const MAX_KEPT_ADDRESSES = 4;

/** Checks the domain of a mapping now, because its owner asks; it is then checked as often as a new one. */
export async function checkDomainNow(deps: DomainCheckDeps, mappingId: number): Promise<void> {
  const due = await claimDomainOf(deps.db, mappingId);
  if (due !== undefined) await checkDomain(deps, { ...due, tries: 0 });
}

/** Looks whether a claimed domain leads here, and publishes what is found. */
export async function checkDomain(deps: DomainCheckDeps, due: DueDomain): Promise<void> {
  const status = await findStatusInTime(deps, due);
  const tries = due.tries + 1;
  await deps.db.transaction().execute(async (tx) => {
    const result = { ...status, tries, nextInSeconds: nextCheckInSeconds(tries) };
    const owner = await recordDomainCheck(tx, due, result);
    if (owner === undefined) return;
    // Certificates are ordered after a change of the device.
    if (status.isReady) await announceDeviceChange(tx, owner);
    else if (status.found.join() !== due.found.join()) await announceDeviceList(tx, [owner.userId]);
  });
}

/** A user's name servers may answer slowly or never: then the domain is not ready, and nothing of it is known. */
async function findStatusInTime(deps: DomainCheckDeps, due: DueDomain): Promise<DomainStatus> {
  const limit = AbortSignal.timeout(deps.limitMs ?? LIMIT_MS);
  try {
    return await unlessAborted(findStatus(deps, due), limit);
  } catch (error) {
    if (!limit.aborted) throw error;
    return { isReady: false, found: [], wanted: due.wanted };
  }
}

async function findStatus(deps: DomainCheckDeps, due: DueDomain): Promise<DomainStatus> {
  const { nameServers, publicUrl, mayAsk } = deps;
  const { domain, suffix, tlsPassthrough } = due;
  const consoleHost = new URL(publicUrl).hostname;
  const { alias, addresses } = await findDomainAddresses(nameServers, domain);
  const [ofSuffix, ofConsole] = await Promise.all([suffix, consoleHost].map((name) => nameServers.addressesOf(name)));
  const wanted = [...new Set([...(ofSuffix ?? []), ...(ofConsole ?? [])])];
  const isNamed = addresses.length > 0 && (alias === suffix || alias === consoleHost);
  const isReady =
    isNamed ||
    addresses.some((address) => wanted.includes(address)) ||
    // With TLS passthrough it is the device that would be asked.
    (addresses.length > 0 && !tlsPassthrough && (await isAnsweredHere({ domain, addresses }, deps)));
  // The user sees these: a name of the operator's network must not show its private addresses.
  const found = addresses.filter((address) => wanted.includes(address) || isAddressAllowed(address, mayAsk));
  return { isReady, found: found.slice(0, MAX_KEPT_ADDRESSES), wanted: wanted.slice(0, MAX_KEPT_ADDRESSES) };
}
