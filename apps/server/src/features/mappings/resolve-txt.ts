import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Asks DNS for a name's TXT records: the system's servers, or those given as `address` or `address:port`. */
export function createTxtResolver(servers?: string[]): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join('')); // a record comes in pieces of 255 bytes (RFC 7208 §3.3)
    } catch {
      return []; // no such name, no such record, no answer: each of them proves nothing
    }
  };
}
