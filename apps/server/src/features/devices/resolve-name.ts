import { lookup } from 'node:dns/promises';

/** Resolves when the system's resolver knows an address of the host; rejects otherwise, or when the signal aborts. */
export async function resolveName(host: string, signal: AbortSignal): Promise<void> {
  // getaddrinfo cannot be cancelled: its answer is dropped when it comes too late.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  await Promise.race([lookup(host), aborted]);
}
