import type { TunnelAddress } from '@tongtu/tunnel';

/** Limits what a relay can make a device dial. */
const MAX_TUNNELS = 8;

/** The addresses to dial from a relay's list, without repetitions. An empty host means the host that was dialled. */
export function resolveTunnels(tunnels: TunnelAddress[], dialled: TunnelAddress): TunnelAddress[] {
  const found: TunnelAddress[] = [];
  for (const { host, port } of tunnels) {
    const address = { host: host === '' ? dialled.host : host, port };
    if (!found.some((other) => isSameAddress(other, address))) found.push(address);
  }
  return found.slice(0, MAX_TUNNELS);
}

export function isSameAddress(a: TunnelAddress, b: TunnelAddress): boolean {
  return a.port === b.port && a.host.toLowerCase() === b.host.toLowerCase();
}

export function formatAddress({ host, port }: TunnelAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
