import type { Socket } from 'node:net';
import { canonicalAddress } from '@tongtu/base';
import type { ConnectionOrigin } from '@tongtu/tunnel';
import type { Endpoint } from './proxy-header.ts';

export type ConnectionEnds = { source: Endpoint; destination: Endpoint };

/** Undefined when the visitor has reset its connection already: then it has no address any more. */
export function connectionEnds(socket: Socket): ConnectionEnds | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return {
    source: { address: remoteAddress, port: remotePort },
    destination: { address: localAddress, port: localPort },
  };
}

/** What a device's program learns of a visitor's connection. */
export function connectionOrigin(ends: ConnectionEnds | undefined): ConnectionOrigin | undefined {
  if (ends === undefined) return undefined;
  const { source, destination } = ends;
  return {
    visitorPort: source.port,
    publicAddress: canonicalAddress(destination.address),
    publicPort: destination.port,
  };
}
