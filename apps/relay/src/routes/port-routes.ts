import type { Route } from '@tongtu/contract';
import type { RouteEntry } from './route-entry.ts';

/** One public port. TCP and UDP of the same number are two of them. */
export type PublicPort = { kind: 'tcp' | 'udp'; port: number };
export type PortKey = `${PublicPort['kind']} ${number}`;

export function portKeyOf({ kind, port }: PublicPort): PortKey {
  return `${kind} ${port}`;
}

/** The routes that have a public port instead of a host. */
export class PortRoutes {
  readonly #entries = new Map<PortKey, RouteEntry>();
  /** Called for every change, including one that is reverted at once. */
  listener: ((publicPort: PublicPort) => void) | undefined;

  find(publicPort: PublicPort): RouteEntry | undefined {
    return this.#entries.get(portKeyOf(publicPort));
  }

  put(entry: RouteEntry): void {
    const publicPort = publicPortOf(entry.route);
    if (publicPort === undefined) return;
    this.#entries.set(portKeyOf(publicPort), entry);
    this.listener?.(publicPort);
  }

  /** A port that meanwhile belongs to another device stays with it. */
  remove(route: Route, deviceId: number): void {
    const publicPort = publicPortOf(route);
    if (publicPort === undefined || this.find(publicPort)?.owner.device.deviceId !== deviceId) return;
    this.#entries.delete(portKeyOf(publicPort));
    this.listener?.(publicPort);
  }
}

function publicPortOf({ kind, port }: Route): PublicPort | undefined {
  return (kind === 'tcp' || kind === 'udp') && port !== null ? { kind, port } : undefined;
}
