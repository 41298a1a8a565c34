import {
  AppError,
  type FrpcProxy,
  isWildcard,
  MappingCreate,
  type MappingKind,
  parseTarget,
  wildcardParent,
} from '@tongtu/contract';
import { parseRequest } from '../../../http/field-errors.ts';
import { type CreateMappingInput, settableColumns } from '../mapping-columns.ts';
import type { MappingValues } from '../mapping-store.ts';

/** The columns of a mapping that a proxy decides. */
export type ProxyColumns = Pick<
  MappingValues,
  | ('kind' | 'prefix' | 'customDomain' | 'port' | 'targetHost' | 'targetPort')
  | ('tlsPassthrough' | 'hostHeader' | 'hostName' | 'policy')
>;

/** frpc does not send its target, and dials it by itself. */
const UNKNOWN_HOST = '127.0.0.1';
const UNKNOWN_PORT = 1;
const kinds: Record<FrpcProxy['type'], MappingKind> = {
  http: 'http',
  https: 'https',
  tcp: 'tcp',
  udp: 'udp',
  stcp: 'tcp',
};

/**
 * The mappings of a proxy: one for each of its domains, or one with a public port. A name one label below our suffix is a
 * prefix. Throws frpc.domain-missing, and request.invalid for names that are none.
 */
export function wantedMappings(proxy: FrpcProxy, suffix: string): CreateMappingInput[] {
  const { type, remotePort, domains, subdomain } = proxy;
  if (type !== 'http' && type !== 'https') return [read(proxy, { port: remotePort === 0 ? null : remotePort })];
  const names = [...domains, ...(subdomain === '' ? [] : [`${subdomain}.${suffix}`])].map((name) => name.toLowerCase());
  if (names.length === 0) throw new AppError('frpc.domain-missing');
  return [...new Set(names)].map((name) =>
    isWildcard(name) ? readWildcard(proxy, name) : read(proxy, addressOf(name, suffix)),
  );
}

function readWildcard(proxy: FrpcProxy, name: string): CreateMappingInput {
  const input = read(proxy, { custom_domain: wildcardParent(name) });
  return { ...input, custom_domain: `*.${input.custom_domain}` };
}

function addressOf(name: string, suffix: string): { prefix: string } | { custom_domain: string } {
  const prefix = name.endsWith(`.${suffix}`) ? name.slice(0, -suffix.length - 1) : '.';
  return prefix.includes('.') ? { custom_domain: name } : { prefix };
}

function read(
  { type }: FrpcProxy,
  address: { prefix: string } | { custom_domain: string } | { port: number | null },
): CreateMappingInput {
  const kind = kinds[type];
  return parseRequest(MappingCreate, {
    ...{ router: 1, kind, ...address },
    target: `${kind}://${UNKNOWN_HOST}:${UNKNOWN_PORT}`,
    // As at frps, TLS of a domain of one's own ends at the service. A name below our suffix has our certificate.
    tls_passthrough: kind === 'https' && 'custom_domain' in address,
  });
}

/** The target's name is what the service gets as Host, or in the TLS handshake. */
export function proxyColumns(input: CreateMappingInput, { hostRewrite }: FrpcProxy, suffix: string): ProxyColumns {
  const { kind, prefix, customDomain, port, tlsPassthrough, policy } = settableColumns(input);
  const decided = { kind, prefix, customDomain, port, tlsPassthrough, hostName: '', policy };
  const rewritten = hostRewrite === '' || kind !== 'http' ? undefined : parseTarget(`http://${hostRewrite}`);
  if (rewritten !== undefined)
    return { ...decided, targetHost: rewritten.host, targetPort: rewritten.port, hostHeader: 'rewrite' };
  const targetHost = kind === 'https' && prefix !== null ? `${prefix}.${suffix}` : UNKNOWN_HOST;
  const ports = { http: 80, https: 443, tcp: UNKNOWN_PORT, udp: UNKNOWN_PORT };
  return { ...decided, targetHost, targetPort: ports[kind], hostHeader: 'keep' };
}
