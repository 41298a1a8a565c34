import type { MappingKind } from '@tongtu/contract';

/** What a person typed or pasted as an address; what it did not say is undefined. */
export type TypedTarget = {
  kind: MappingKind | undefined;
  host: string;
  port: number | undefined;
  /** A mapping leads to a whole service: a path cannot be kept. */
  hasPath: boolean;
};

const pattern = /^(?:(https?):\/\/)?(?:[^@/]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#[\]]+)(?::(\d{1,5}))?([/?#].*)?$/i;

/** Reads an address the way people write it, full-width punctuation included; undefined when it is none. */
export function readTypedTarget(text: string): TypedTarget | undefined {
  const match = pattern.exec(text.normalize('NFKC').replaceAll('。', '.').trim());
  if (!match) return undefined;
  const [, scheme, host = '', port, path = ''] = match;
  const kind = scheme?.toLowerCase();
  return {
    kind: kind === 'http' || kind === 'https' ? kind : undefined,
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port: port === undefined ? undefined : Number(port),
    hasPath: path.length > 1,
  };
}

export const defaultPorts: Record<MappingKind, number> = { http: 80, https: 443 };

/** Bare IPv6 addresses need brackets before a port. */
export function joinTarget(target: { kind: MappingKind; host: string; port: number }): string {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `${target.kind}://${host}:${target.port}`;
}

/** The hosts that a LAN target may have; whether it really is private is judged by server and agent. */
export const hostPattern = /^([a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?|[0-9a-f:.]{2,45})$/i;

/** The same rule as the contract's `Prefix`. */
export const prefixPattern = /^(?!..--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
