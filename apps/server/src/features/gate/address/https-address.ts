import { isPublicName } from '../../certificates/index.ts';
import { portOf, readVisitedUrl, type VisitedUrl } from './visited-url.ts';

/** How this installation serves https. */
export type HttpsDeps = {
  /** The console's address, as the operator has set it. */
  publicUrl: string;
  /** The port of the relays that serves https. */
  tlsPort: number;
  /** Whether relays redirect http requests for mappings to https, whatever the certificate. */
  redirectsToHttps: boolean;
  /** Whether the relays have a certificate of an authority for this name. */
  hasCertificate: (host: string) => Promise<boolean>;
};

/** The scheme and port by which the visitor's browser has opened the console. */
export type ConsoleEndpoint = { scheme: 'http' | 'https'; port: number };

/**
 * Changes the address that a browser is sent to with its ticket to https where that works. An attacker on the network path
 * can redirect any http page to the check page, and could read and use a ticket that is sent over http. https works when
 *
 * - the relays redirect http to https anyway; or
 * - the browser has opened the console by https, and the name has a certificate. Without one the browser would show a
 *   warning in place of the mapping.
 *
 * IP addresses and local names have no certificates and are not redirected.
 */
export async function secureAddress(
  deps: HttpsDeps,
  visited: VisitedUrl,
  caller: ConsoleEndpoint,
): Promise<VisitedUrl> {
  const isSecure = visited.origin.startsWith('https:');
  if (isSecure || !isPublicName(visited.host)) return visited;
  const isHttpsReachable =
    deps.redirectsToHttps || (caller.scheme === 'https' && (await deps.hasCertificate(visited.host)));
  return isHttpsReachable ? withHttps(visited, httpsPort(deps, caller)) : visited;
}

/** The port of `publicUrl` if that is https, else the port by which the browser came if that was https, else `tlsPort`. */
function httpsPort({ publicUrl, tlsPort }: HttpsDeps, { scheme, port }: ConsoleEndpoint): number {
  const url = new URL(publicUrl);
  if (url.protocol === 'https:') return portOf(url);
  return scheme === 'https' ? port : tlsPort;
}

function withHttps(visited: VisitedUrl, port: number): VisitedUrl {
  const url = new URL(visited.href);
  url.protocol = 'https:';
  url.port = String(port);
  return readVisitedUrl(url.href) ?? visited;
}
