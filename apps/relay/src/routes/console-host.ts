import { isIP } from 'node:net';

/** A test for console hosts: the given names, and every IP address. */
export function createConsoleHostTest(names: string[]): (host: string) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (host) => known.has(host) || isIP(host) !== 0;
}
