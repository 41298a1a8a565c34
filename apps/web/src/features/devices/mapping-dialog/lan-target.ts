import type { MappingKind } from '@tongtu/contract';

/** The parts of a typed or pasted address. A part that it lacks is undefined. */
export type TypedTarget = {
  kind: MappingKind | undefined;
  host: string;
  port: number | undefined;
  /** Whether the address had a path. A mapping leads to a whole service, so the path is dropped. */
  hasPath: boolean;
};

/** Only these have a default port. A TCP or UDP target needs its port. */
export const defaultPorts: Partial<Record<MappingKind, number>> = { http: 80, https: 443 };

type Scheme = { kind: MappingKind; port?: number };

/** The schemes that users paste, and the kind of mapping for each. */
const schemes: Record<string, Scheme> = {
  http: { kind: 'http', port: 80 },
  https: { kind: 'https', port: 443 },
  ws: { kind: 'http', port: 80 },
  wss: { kind: 'https', port: 443 },
  tcp: { kind: 'tcp' },
  udp: { kind: 'udp' },
  ssh: { kind: 'tcp', port: 22 },
  sftp: { kind: 'tcp', port: 22 },
  telnet: { kind: 'tcp', port: 23 },
  rdp: { kind: 'tcp', port: 3389 },
  vnc: { kind: 'tcp', port: 5900 },
  rtsp: { kind: 'tcp', port: 554 },
  mqtt: { kind: 'tcp', port: 1883 },
  mysql: { kind: 'tcp', port: 3306 },
  postgresql: { kind: 'tcp', port: 5432 },
  redis: { kind: 'tcp', port: 6379 },
};

function schemeOf(text: string | undefined): Scheme | undefined {
  const name = text?.toLowerCase();
  return name !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined;
}

const addressPattern =
  /^(?:(?:([a-z]{2,10}):)?\/\/)?(?:[^@/]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#[\]]+)(?::(\d{1,5}))?([/?#].*)?$/i;

/**
 * Removes text around an address, such as "地址：" before it or a full stop after it. "192.168.1.10 5000" is host and
 * port.
 */
function withoutSurroundings(text: string): string {
  const plain = text.normalize('NFKC').replaceAll('。', '.').trim();
  const url = /[a-z]{2,10}:\/\/\S+/i.exec(plain)?.[0] ?? plain.replace(/^[^\p{ASCII}]+[:\s]\s*/u, '');
  return url.replace(/[.,;)]+$/, '').replace(/^(\S+)\s+(\d{1,5})$/, '$1:$2');
}

/** Parses an address as users write it, with full-width punctuation; undefined when it is not one. */
export function readTypedTarget(text: string): TypedTarget | undefined {
  const match = addressPattern.exec(withoutSurroundings(text));
  if (!match) return undefined;
  const [, named, host = '', port, path = ''] = match;
  const scheme = schemeOf(named);
  if (named !== undefined && scheme === undefined) return undefined;
  return {
    kind: scheme?.kind,
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    // A URL without a port means the scheme's default port. A bare host says nothing about the port.
    port: port === undefined ? scheme?.port : Number(port),
    hasPath: path.length > 1,
  };
}

/** IPv6 addresses need brackets when a port follows. */
export function joinTarget(target: { kind: MappingKind; host: string; port: number }): string {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `${target.kind}://${host}:${target.port}`;
}

const namePattern = /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i;
const ipv4Pattern = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;

/** Why a text cannot be the host of a target; undefined when it can. Server and agent check that it is private. */
export function hostProblem(host: string): 'format' | 'scheme' | 'zeros' | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(host)?.[1];
  if (scheme !== undefined && schemeOf(scheme) === undefined) return 'scheme';
  if (host.includes(':')) return URL.canParse(`http://[${host}]`) ? undefined : 'format';
  // URL parsers read 192.168.001.010 as 192.168.1.8.
  if (/^\d+(\.\d+){3}$/.test(host) && /(^|\.)0\d/.test(host)) return 'zeros';
  // Browsers read "10.1" as 10.0.0.1 and refuse 192.168.1.300, so a host of numbers must be a complete IPv4 address.
  const isSound = /^[\d.]+$/.test(host) ? ipv4Pattern.test(host) : namePattern.test(host);
  return isSound ? undefined : 'format';
}

const maxPort = 65_535;

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPort;
}
