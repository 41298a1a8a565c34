/**
 * Fields of proxies that services trust: the visitor's address by the names that frameworks, CDNs and clouds read, and
 * the requested URL. The relay writes `Forwarded`, `X-Forwarded-*` and `X-Real-IP` itself and removes the others. Some
 * frameworks use `X-Original-URL` and `X-Rewrite-URL` in place of the path, which bypasses rules before them; CGI reads
 * `Proxy` as `HTTP_PROXY` (httpoxy).
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
