import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';
import type { Logger } from 'pino';
import { defaultGatewayLimits, type GatewayLimits } from './config/gateway-limits.ts';
import { ServerLink } from './control/server-link.ts';
import type { AppHandlers } from './http/app-handlers.ts';
import { createGatewayServer } from './http/gateway-server.ts';
import { SessionRegistry } from './sessions/session-registry.ts';

export type GatewayConfig = {
  /** A bound socket of the main process, or where to listen on this machine. */
  listen: NetServer | { port: number };
  /** Proves to the relays that this is the gateway. */
  gatewaySecret: string;
  send: (message: GatewayToServer) => void;
  limits?: Partial<GatewayLimits>;
};

export type RunningGateway = AsyncDisposable & {
  readonly server: Server;
  onServerMessage: (message: ServerToGateway) => void;
  /** The ports for the gateway of the relays that run now. */
  setRelayPorts: (ports: readonly number[]) => void;
};

/** Starts the gateway, which speaks the protocols of cloud apps. Its sessions end with it. */
export async function startGateway(
  { listen, gatewaySecret, send, limits: given }: GatewayConfig,
  handlers: AppHandlers,
  log: Logger,
): Promise<RunningGateway> {
  const limits = { ...defaultGatewayLimits, ...given };
  const link = new ServerLink(send);
  let relayPorts: readonly number[] = [];
  const monotonicMs = () => performance.now();
  const sessions = new SessionRegistry({
    limits,
    monotonicMs,
    relayPorts: () => relayPorts,
    gatewaySecret,
    server: link,
  });
  const server = createGatewayServer({ sessions, handlers, log });
  const bound = Promise.withResolvers<void>();
  server.once('error', bound.reject).once('listening', bound.resolve);
  if ('port' in listen) server.listen({ ...listen, host: '127.0.0.1' });
  else server.listen(listen);
  await bound.promise;
  return {
    server,
    onServerMessage: (message) => link.onMessage(message),
    setRelayPorts: (ports) => {
      relayPorts = ports;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      sessions[Symbol.dispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}
