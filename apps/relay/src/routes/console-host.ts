import { isIP } from 'node:net';

/** A test for the names under which the console is reached: those given, and every IP literal. */
export function createConsoleHostTest(names: string[]): (host: string) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (host) => known.has(host) || isIP(host) !== 0;
}
