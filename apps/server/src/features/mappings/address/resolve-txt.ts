import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Creates a resolver of TXT records. It uses the system's name servers, or those given as `address` or `address:port`. */
export function createTxtResolver(servers?: string[]): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join('')); // a record consists of strings of up to 255 bytes (RFC 7208 §3.3)
    } catch {
      return []; // no such name, no such record, or no answer
    }
  };
}
