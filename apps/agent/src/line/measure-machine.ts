import { lookup } from 'node:dns/promises';
import type { TunnelAddress } from '@tongtu/tunnel';
import { measured, type MeasuredConnection } from './relay-connections.ts';
import { readSocketStates } from './socket-states.ts';

/** The connections of this machine to these relays, whatever process they belong to. */
export async function measureMachine(relays: readonly TunnelAddress[]): Promise<MeasuredConnection[]> {
  const found = await Promise.all(
    relays.map(async ({ host, port }) =>
      (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => ({ address, port })),
    ),
  );
  const states = (await readSocketStates(found.flat())) ?? [];
  return states.map((state) => measured(nameOf(state.remoteAddress, state.remotePort), state));
}

function nameOf(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
