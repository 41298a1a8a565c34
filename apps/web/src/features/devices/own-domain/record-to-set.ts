import { isLoopbackHost } from '../../../address/public-address.ts';

export type RecordToSet = { type: 'CNAME' | 'A' | 'AAAA'; value: string };

/**
 * The record that makes a custom domain lead to this server. A server without a domain is reached by the host that the
 * console was opened with; undefined where that is the server itself.
 */
export function recordToSet(suffix: string, consoleHost: string): RecordToSet | undefined {
  const host = isLoopbackHost(suffix) ? consoleHost : suffix;
  if (isLoopbackHost(host)) return undefined;
  if (host.startsWith('[')) return { type: 'AAAA', value: host.slice(1, -1) };
  return { type: /^\d+(\.\d+){3}$/.test(host) ? 'A' : 'CNAME', value: host };
}
