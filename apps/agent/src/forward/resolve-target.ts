import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isCredentialAddress, isPrivateAddress } from '@tongtu/base';
import { TargetError, targetErrorOf } from './target-error.ts';

/** Addresses that are tried for one name. */
const MAX_ADDRESSES = 4;

/** Finds every address of a name. */
export type Resolver = (host: string) => Promise<string[]>;

export const systemResolver: Resolver = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map((entry) => entry.address);
};

/**
 * The private addresses of a target. Callers dial these and never resolve again: a second lookup could give another
 * answer (DNS rebinding). Throws TargetError.
 */
export async function resolveTarget(host: string, resolver: Resolver): Promise<string[]> {
  const addresses = isIP(host) === 0 ? await resolveName(host, resolver) : [host];
  const allowed = addresses.filter(isPrivateAddress);
  if (allowed.length === 0)
    throw new TargetError(addresses.some(isCredentialAddress) ? 'credentialAddress' : 'notAllowed');
  return allowed.slice(0, MAX_ADDRESSES);
}

async function resolveName(host: string, resolver: Resolver): Promise<string[]> {
  try {
    const addresses = await resolver(host);
    if (addresses.length === 0) throw new TargetError('notFound');
    return addresses;
  } catch (error) {
    throw targetErrorOf(error);
  }
}
