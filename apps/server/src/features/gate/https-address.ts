import { isPublicName } from '../certificates/index.ts';
import { portOf, readVisitedUrl, type VisitedUrl } from './visited-url.ts';

/** What is known of this installation's https. */
export type HttpsFacts = {
  /** Where the operator says that people reach the console. */
  publicUrl: string;
  /** Where https is served. */
  tlsPort: number;
  /** Whoever comes to a mapping by http is led to https, whatever its certificate. */
  redirectsToHttps: boolean;
  /** Whether browsers are shown a certificate for this name that an authority gave. */
  hasCertificate: (host: string) => Promise<boolean>;
};

/** By what the page that asks was opened. */
export type AskedBy = { scheme: 'http' | 'https'; port: number };

/**
 * The address that a browser is sent to with its ticket, in place of the one it wants to go back to. Somebody on the way
 * can lead any page over http to the check page; a ticket that then went over http as well could be read there, and used
 * before the visitor does. So it goes by https
 *
 * - where http is led there anyway; or
 * - where the page that asks came by https, so that this browser does reach it, and the name has a certificate: without
 *   one there would be a warning in place of the mapping.
 *
 * Addresses and names that never leave the machine have no certificates and are not led anywhere either.
 */
export async function secureAddress(facts: HttpsFacts, visited: VisitedUrl, asked: AskedBy): Promise<VisitedUrl> {
  const isSecure = visited.origin.startsWith('https:');
  if (isSecure || !isPublicName(visited.host)) return visited;
  const isReached = facts.redirectsToHttps || (asked.scheme === 'https' && (await facts.hasCertificate(visited.host)));
  return isReached ? overHttps(visited, httpsPort(facts, asked)) : visited;
}

/** What the operator says; else what this browser has come by; else what the relay leads to. */
function httpsPort({ publicUrl, tlsPort }: HttpsFacts, { scheme, port }: AskedBy): number {
  const url = new URL(publicUrl);
  if (url.protocol === 'https:') return portOf(url);
  return scheme === 'https' ? port : tlsPort;
}

function overHttps(visited: VisitedUrl, port: number): VisitedUrl {
  const url = new URL(visited.href);
  url.protocol = 'https:';
  url.port = String(port);
  return readVisitedUrl(url.href) ?? visited;
}
