import type { Db } from '../../db/driver.ts';
import type { NameServers } from '../certificates/index.ts';
import { announceDeviceChange, announceDeviceList } from '../live/index.ts';
import { type AskDeps, isAnsweredHere } from './ask-domain.ts';
import { claimDomainOf, type DomainStatus, type DueDomain, recordDomainCheck } from './domain-check-store.ts';
import { findDomainAddresses } from './find-domain-addresses.ts';
import { nextCheckInSeconds } from './next-check.ts';

export type DomainCheckDeps = AskDeps & { db: Db; nameServers: NameServers };

const MAX_KEPT_ADDRESSES = 4;

/** Checks the domain of a mapping now, because its owner asks; it is then checked as often as a new one. */
export async function checkDomainNow(deps: DomainCheckDeps, mappingId: number): Promise<void> {
  const due = await claimDomainOf(deps.db, mappingId);
  if (due !== undefined) await checkDomain(deps, { ...due, tries: 0 });
}

/** Looks whether a claimed domain leads here, and publishes what is found. */
export async function checkDomain(deps: DomainCheckDeps, due: DueDomain): Promise<void> {
  const status = await findStatus(deps, due);
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

async function findStatus(deps: DomainCheckDeps, due: DueDomain): Promise<DomainStatus> {
  const { nameServers, publicUrl } = deps;
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
  return { isReady, found: addresses.slice(0, MAX_KEPT_ADDRESSES), wanted: wanted.slice(0, MAX_KEPT_ADDRESSES) };
}
