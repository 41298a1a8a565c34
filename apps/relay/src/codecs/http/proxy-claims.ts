/**
 * What services believe of a visitor because some proxy sets it: its address by the names that frameworks, CDNs and
 * clouds look for, and the address that was asked for. `Forwarded`, `X-Forwarded-*` and `X-Real-IP` are written anew;
 * nobody in front of the service vouches for the others. `X-Original-URL` and `X-Rewrite-URL` take the place of the
 * path at some frameworks, past whatever a rule before them has looked at; CGI reads `Proxy` as `HTTP_PROXY` (httpoxy).
 */
const PROXY_CLAIMS = new Set([
  'forwarded',
  'forwarded-for',
  'x-forwarded',
  'x-real-ip',
  'client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'fastly-client-ip',
  'fly-client-ip',
  'do-connecting-ip',
  'eo-connecting-ip',
  'ali-cdn-real-ip',
  'cdn-src-ip',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-appengine-user-ip',
  'x-nf-client-connection-ip',
  'x-vercel-forwarded-for',
  'x-original-forwarded-for',
  'x-originating-ip',
  'x-remote-ip',
  'x-remote-addr',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'x-original-url',
  'x-rewrite-url',
  'proxy',
]);

/** Of a field's name in lower case. */
export function isProxyClaim(key: string): boolean {
  return PROXY_CLAIMS.has(key) || key.startsWith('x-forwarded-');
}
