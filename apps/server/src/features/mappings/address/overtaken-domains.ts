import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import type { MappingDeps } from '../mapping-deps.ts';
import { listCustomDomains, listSuffixes } from '../mapping-store.ts';
import { ownDomainTest } from './public-address.ts';

type OvertakenDeps = Pick<MappingDeps, 'ownDomains'> & { db: Db };

const MAX_LOGGED_DOMAINS = 20;

/**
 * The custom domains that nobody could claim any more, because the installation's names have changed since then. They stay
 * with their owners.
 */
export async function listOvertakenDomains({
  db,
  ownDomains,
}: OvertakenDeps): Promise<{ domain: string; owner: string }[]> {
  const isOwn = ownDomainTest(ownDomains, await listSuffixes(db));
  const claimed = await listCustomDomains(db);
  return claimed.filter(({ domain }) => isOwn(domain));
}

/** Names them to the operator, who has changed the settings. */
export async function logOvertakenDomains({ log, ...deps }: OvertakenDeps & { log: Logger }): Promise<void> {
  const overtaken = await listOvertakenDomains(deps);
  if (overtaken.length === 0) return;
  log.warn(
    { count: overtaken.length, domains: overtaken.slice(0, MAX_LOGGED_DOMAINS) },
    'custom domains of users are, or cover, names that now belong to this installation; they stay until deleted',
  );
}
