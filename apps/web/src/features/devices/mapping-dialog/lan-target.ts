import type { MappingKind } from '@tongtu/contract';

/** What a person typed or pasted as an address; what it did not say is undefined. */
export type TypedTarget = {
  kind: MappingKind | undefined;
  host: string;
  port: number | undefined;
  /** A mapping leads to a whole service: a path cannot be kept. */
  hasPath: boolean;
};

/** Only these have a port of their own: a TCP or UDP service must be named with its port. */
export const defaultPorts: Partial<Record<MappingKind, number>> = { http: 80, https: 443 };

type Scheme = { kind: MappingKind; port?: number };

/** What people paste as an address, and what a mapping makes of it. */
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

/** Words around an address go: "地址：http://…", a full stop behind it. "192.168.1.10 5000" is host and port. */
function withoutSurroundings(text: string): string {
  const plain = text.normalize('NFKC').replaceAll('。', '.').trim();
  const url = /[a-z]{2,10}:\/\/\S+/i.exec(plain)?.[0] ?? plain.replace(/^[^\p{ASCII}]+[:\s]\s*/u, '');
  return url.replace(/[.,;)]+$/, '').replace(/^(\S+)\s+(\d{1,5})$/, '$1:$2');
}

/** Reads an address the way people write it, full-width punctuation included; undefined when it is none. */
export function readTypedTarget(text: string): TypedTarget | undefined {
  const match = addressPattern.exec(withoutSurroundings(text));
  if (!match) return undefined;
  const [, named, host = '', port, path = ''] = match;
  const scheme = schemeOf(named);
  if (named !== undefined && scheme === undefined) return undefined;
  return {
    kind: scheme?.kind,
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    // A whole address without a port means its scheme's own one; a bare host says nothing about the port.
    port: port === undefined ? scheme?.port : Number(port),
    hasPath: path.length > 1,
  };
}

/** Bare IPv6 addresses need brackets before a port. */
export function joinTarget(target: { kind: MappingKind; host: string; port: number }): string {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `${target.kind}://${host}:${target.port}`;
}

const namePattern = /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i;
const ipv4Pattern = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;

/** Why a text cannot be a target's host; undefined when it can. Whether it is private is judged by server and agent. */
export function hostProblem(host: string): 'format' | 'scheme' | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(host)?.[1];
  if (scheme !== undefined && schemeOf(scheme) === undefined) return 'scheme';
  if (host.includes(':')) return URL.canParse(`http://[${host}]`) ? undefined : 'format';
  // Browsers read "10.1" as 10.0.0.1 and refuse 192.168.1.300: numbers alone are an IPv4 address or a mistake.
  const isSound = /^[\d.]+$/.test(host) ? ipv4Pattern.test(host) : namePattern.test(host);
  return isSound ? undefined : 'format';
}

const maxPort = 65_535;

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPort;
}
