import { type AppRoute, initialOptions, type Route } from '@tongtu/contract';

/**
 * The target of a cloud app as a route, so that its streams are opened, shaped and cut like those of mappings. It has
 * neither host nor port, and the route table gives it to the gateway alone.
 */
export function routeOfApp({ appId, targetHost, targetPort }: AppRoute): Route {
  return {
    ...{ mappingId: appId, kind: 'tcp', host: '', isOwnDomain: false, port: null, targetHost, targetPort },
    ...initialOptions,
    ...{ policy: 'public', enabled: true, opensAtMs: null, closesAtMs: null, hours: null },
    ...{ verifiedIps: [], extendedVerifications: [], revokedVerifications: [], clientWindowUntilMs: null },
  };
}
