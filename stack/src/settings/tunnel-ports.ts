import { availableParallelism } from 'node:os';
import { OperatorError } from '../operator-error.ts';

type TunnelVariables = { RELAY_PROCESSES: string; TUNNEL_PORT: number; TUNNEL_PUBLIC_PORT?: number | undefined };

export type TunnelPorts = {
  /** One for each relay process. */
  tunnelPorts: number[];
  /** The port at which agents dial the first relay; undefined: the same as `tunnelPorts`. */
  tunnelPublicPort: number | undefined;
};

const MAX_PORT = 65_535;

/** One for each relay process, consecutive; 0 leaves each to the system. Throws OperatorError where there are too few. */
export function readTunnelPorts(values: TunnelVariables): TunnelPorts {
  const count =
    values.RELAY_PROCESSES === 'auto' ? Math.min(2, availableParallelism()) : Number(values.RELAY_PROCESSES);
  const { TUNNEL_PORT: first, TUNNEL_PUBLIC_PORT: tunnelPublicPort } = values;
  for (const [name, port] of Object.entries({ TUNNEL_PORT: first, TUNNEL_PUBLIC_PORT: tunnelPublicPort ?? 0 })) {
    if (port + count - 1 > MAX_PORT) throw new OperatorError(`${name} 之后的端口不够 RELAY_PROCESSES 使用`);
  }
  return {
    tunnelPorts: Array.from({ length: count }, (_, index) => (first === 0 ? 0 : first + index)),
    tunnelPublicPort,
  };
}

/** The ports that agents dial, in the order of `tunnelPorts`. */
export function publicTunnelPorts({ tunnelPorts, tunnelPublicPort }: TunnelPorts): number[] {
  return tunnelPorts.map((port, index) => (tunnelPublicPort === undefined ? port : tunnelPublicPort + index));
}

/** The local port of the relay that agents dial at this public port; an unknown port is returned as it is. */
export function localTunnelPort(ports: TunnelPorts, publicPort: number): number {
  return ports.tunnelPorts[publicTunnelPorts(ports).indexOf(publicPort)] ?? publicPort;
}
