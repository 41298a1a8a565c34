import { lookup } from 'node:dns/promises';
import { unlessAborted } from '@tongtu/base';

/** Resolves when the system's resolver finds an address of the host; rejects otherwise, or when the signal aborts. */
export async function resolveName(host: string, signal: AbortSignal): Promise<void> {
  // getaddrinfo cannot be cancelled; a late answer is ignored.
  await unlessAborted(lookup(host), signal);
}
