import { isIP } from 'node:net';

/** Hosts for which no authority issues certificates: addresses, and names that never leave the machine. */
export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isIP(host) !== 0;
}
