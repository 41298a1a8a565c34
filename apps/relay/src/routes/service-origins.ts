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

/**
 * Origins that the service may name in answers when it means itself. Its public name in https is left alone where
 * the visitor came by http: that may be a redirect.
 */
export function originsInAnswers({ sent, own, ofPages }: ServiceOrigins, shown: Origin): Origin[] {
  const ofHost = { scheme: own.scheme, authority: sent.authority };
  const named = [sent, ofHost, ...(ofPages === own ? [own] : [])];
  return named.filter(
    (origin) =>
      !isSameOrigin(origin, shown) && (origin.authority !== shown.authority || leadsToHttp(origin, sent, shown)),
  );
}

/** The public name in http, where the visitor came by https and the service does not know it, or http is not there. */
function leadsToHttp(origin: Origin, sent: Origin, shown: Origin): boolean {
  const isDowngrade = shown.scheme === 'https' && origin.scheme === 'http';
  return isDowngrade && (sent.scheme === 'http' || usesTlsPort(shown));
}

/** Not 80, which http does not name. */
const EXPLICIT_PORT = /:(?!80$)\d+$/;

/** Whether http cannot be at the same port, because https is. */
function usesTlsPort({ scheme, authority }: Origin): boolean {
  return scheme === 'https' && EXPLICIT_PORT.test(authority);
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
