import type { Logger } from 'pino';
import { Relay } from './relay.ts';
import type { RelayConfig } from './config/relay-config.ts';
import { createRelayCore } from './relay-core.ts';

export type RunningRelay = AsyncDisposable & {
  readonly httpPort: number;
  readonly tlsPort: number;
  readonly tunnelPort: number;
  /** Undefined: not open. */
  readonly frpPort: number | undefined;
  /** Where the gateway gets connections to the targets of cloud apps; undefined without a gateway. */
  readonly gatewayPort: number | undefined;
  /** How many devices are connected here. */
  readonly deviceCount: number;
  /** Resolves with the first snapshot; rejects when the relay stops before. */
  whenReady: () => Promise<void>;
  /** Resolves when visitors are let in; rejects when their ports cannot be bound. */
  whenOpen: () => Promise<void>;
  /** Lets visitors in without waiting for more devices, as soon as the routes are known. */
  endWarmUp: () => void;
  /**
   * Stops while other relay processes go on: like disposing, but visitors that stay connected first have time for one
   * more request, whose answer closes the connection.
   */
  handOver: () => Promise<void>;
};

/**
 * Resolves when all three ports are bound, or only the tunnel port if there is a warm-up; the routes follow as soon
 * as the server answers. Rejects with an error that names the port (and keeps `code`) when one cannot be bound.
 * Disposing of it lets open requests finish, for a while.
 */
export async function startRelay(config: RelayConfig, log: Logger): Promise<RunningRelay> {
  const relay = new Relay(createRelayCore(config, log));
  await relay.start();
  return relay;
}
