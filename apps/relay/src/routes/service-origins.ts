import { parseHostField } from '@tongtu/base';
import type { Route } from '@tongtu/contract';
import type { HttpTarget } from '@tongtu/tunnel';
import { isIP } from 'node:net';
import { isSameOrigin, type Origin, type OriginRules } from '../codecs/http/origin-rewrite.ts';

/** The origins that a mapping's service sees in one request. */
export type ServiceOrigins = Omit<OriginRules, 'inAnswers' | 'shown'> & {
  /** The service's origin in the LAN. */
  own: Origin;
};

/** Of a request to the public address of a mapping. */
export function serviceOriginsAtHost(route: Route): ServiceOrigins {
  return serviceOrigins(route, undefined, { scheme: 'https', authority: route.host });
}

/** The choices of the mapping for one request; `target` where its rules for HTTP have several. */
export function serviceOrigins(route: Route, target: HttpTarget | undefined, shown: Origin): ServiceOrigins {
  const { hostHeader, forwardedProto, visitorFields } = route;
  const own = ownOrigin(route, target, shown);
  const isPublic = target === undefined ? hostHeader === 'keep' : target.hostField === '';
  const ownName = hostHeader === 'custom' ? route.hostName : own.authority;
  const authority = isPublic ? shown.authority : ownName;
  // Without forwarded fields a service knows no other scheme than the one that it is spoken to in.
  const scheme = isPublic && visitorFields !== 'omit' ? shown.scheme : own.scheme;
  const sent = { scheme: forwardedProto === 'follow_host' ? scheme : forwardedProto, authority };
  return {
    ...{ sent, own },
    ofPages: { keep: undefined, rewrite: own, follow_host: sent }[route.originFields],
    davScheme: forwardedProto === 'follow_host' ? own.scheme : forwardedProto,
  };
}

/** Origins that the service may name in answers when it means itself, and that lead visitors elsewhere. */
export function originsInAnswers({ sent, own, ofPages }: ServiceOrigins, shown: Origin): Origin[] {
  const named: Origin[] = [
    sent,
    { scheme: 'http', authority: sent.authority },
    { scheme: own.scheme, authority: sent.authority },
    // As nginx (port_in_redirect) and Apache name themselves by a Host without a port.
    { scheme: own.scheme, authority: withPortOf(sent.authority, own.authority) },
    ...(ofPages === own ? [own] : []),
  ];
  return named.filter((origin) =>
    origin.authority === shown.authority ? isWrongScheme(origin, shown) : !isSameOrigin(origin, shown),
  );
}

/** Whether the public name is not there by the other scheme, or the service names http because it knows nothing of TLS. */
function isWrongScheme({ scheme }: Origin, shown: Origin): boolean {
  // A service whose visitor came by http may lead to https.
  return scheme !== shown.scheme && (hasOwnPort(shown) || scheme === 'http');
}

/**
 * Whether a field of an answer names the public address by http, of a visitor who came by https, and means it: a redirect
 * to the very page that was asked for, which would be a circle by https, or the page that asked, by CORS.
 */
export function meansHttp(
  { key, address }: { key: string; address: string },
  { sent }: ServiceOrigins,
  shown: Origin,
  requested: string,
): boolean {
  if (shown.scheme !== 'https' || sent.scheme !== 'https' || hasOwnPort(shown) || !URL.canParse(address)) return false;
  const { protocol, host, pathname, search } = new URL(address);
  const isPublic = isSameOrigin({ scheme: 'http', authority: shown.authority }, { scheme: 'http', authority: host });
  if (protocol !== 'http:' || !isPublic) return false;
  return key === 'access-control-allow-origin' || pathname + search === requested;
}

/** Whether it names a port, at which there is one scheme alone. */
function hasOwnPort({ authority }: Origin): boolean {
  const port = PORT.exec(authority)?.[1];
  return port !== undefined && port !== '80' && port !== '443';
}

const PORT = /:(\d+)$/;

function withPortOf(authority: string, other: string): string {
  return authority.replace(PORT, '') + (PORT.exec(other)?.[0] ?? '');
}

/**
 * The name for the TLS handshake with the service, where it is not the target's own. One that follows the Host proves
 * nothing, so a certificate is judged by a name of the mapping alone.
 */
export function tlsNameOf(route: Route, { sent }: ServiceOrigins): string | undefined {
  const { kind, tlsPassthrough, tlsName, verifyTls, targetHost } = route;
  if (kind !== 'https' || tlsPassthrough) return undefined;
  if (tlsName !== '') return tlsName;
  if (verifyTls || isIP(targetHost) === 0) return undefined;
  const host = parseHostField(sent.authority)?.host ?? '';
  return host === '' || isIP(host) !== 0 ? undefined : host;
}

/** Of a service that a frpc.toml names the relay knows no address but the Host that the file sets. */
function ownOrigin(route: Route, target: HttpTarget | undefined, shown: Origin): Origin {
  const { kind, targetHost, targetPort, hostHeader, frpcProxy } = route;
  const isHttps = target === undefined ? kind === 'https' : target.isForHttps === true;
  const scheme = isHttps ? 'https' : 'http';
  if (target !== undefined) return { scheme, authority: target.hostField || shown.authority };
  if (frpcProxy !== undefined && hostHeader === 'keep') return { scheme, authority: shown.authority };
  const host = targetHost.includes(':') ? `[${targetHost}]` : targetHost;
  return { scheme, authority: targetPort === (isHttps ? 443 : 80) ? host : `${host}:${targetPort}` };
}
