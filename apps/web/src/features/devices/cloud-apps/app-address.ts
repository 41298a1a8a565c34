import type { CloudApp } from '@tongtu/contract';

/** `192.168.1.10:22`; IPv6 addresses in brackets. */
export function appAddress({ host, port }: Pick<CloudApp, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
