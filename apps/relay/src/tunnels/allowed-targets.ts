import type { DeviceRoutes, Route } from '@tongtu/contract';
import { routeOfApp } from '../routes/app-route.ts';
import { type AllowedTarget, MAX_MESSAGE_BYTES } from '@tongtu/tunnel';

/** The rest of a message is for its other fields. */
const MAX_TARGETS_BYTES = MAX_MESSAGE_BYTES - 4_096;
const MAX_TARGETS = 10_000;

/** The routes in use, with those of cloud apps: a disabled device stays connected, but has none. */
export function usableRoutes(device: DeviceRoutes): Route[] {
  if (!device.enabled) return [];
  return [...device.routes.filter((route) => route.enabled), ...(device.apps ?? []).map(routeOfApp)];
}

/**
 * The agent dials nothing but these. The server's limit of mappings keeps them far below one message; `leftOut` counts
 * those that would not fit if it did not, because an agent with most of its targets is better off than one without any.
 */
export function allowedTargets(device: DeviceRoutes): { targets: AllowedTarget[]; leftOut: number } {
  const targets: AllowedTarget[] = [];
  let bytes = 0;
  let leftOut = 0;
  for (const route of usableRoutes(device)) {
    const { mappingId, targetHost: host, targetPort: port } = route;
    const target: AllowedTarget = { mappingId, host, port, transport: route.kind === 'udp' ? 'udp' : 'tcp' };
    bytes += Buffer.byteLength(JSON.stringify(target)) + 1;
    if (bytes > MAX_TARGETS_BYTES || targets.length === MAX_TARGETS) leftOut++;
    else targets.push(target);
  }
  return { targets, leftOut };
}
