import type { Socket } from 'node:net';
import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';
import type { Logger } from 'pino';
import { defaultGatewayLimits, type GatewayLimits } from './config/gateway-limits.ts';
import { ServerLink } from './control/server-link.ts';
import type { AppHandlers } from './http/app-handlers.ts';
import { createGatewayServer } from './http/gateway-server.ts';
import { ParseThreads } from './parsing/parse-threads.ts';
import { SessionRegistry } from './sessions/session-registry.ts';

export type GatewayConfig = {
  /** Proves to the relays that this is the gateway. */
  gatewaySecret: string;
  send: (message: GatewayToServer) => void;
  limits?: Partial<GatewayLimits>;
};

export type RunningGateway = Disposable & {
  /** Serves a relay's connection. */
  accept: (socket: Socket) => void;
  onServerMessage: (message: ServerToGateway) => void;
  /** The ports for the gateway of the relays that run now. */
  setRelayPorts: (ports: readonly number[]) => void;
};

/** Starts the gateway, which speaks the protocols of cloud apps. Its sessions end with it. */
export function startGateway(
  { gatewaySecret, send, limits: given }: GatewayConfig,
  handlers: AppHandlers,
  log: Logger,
): RunningGateway {
  const limits = { ...defaultGatewayLimits, ...given };
  const link = new ServerLink(send);
  let relayPorts: readonly number[] = [];
  const monotonicMs = () => performance.now();
  const threads = new ParseThreads();
  const sessions = new SessionRegistry({
    limits,
    monotonicMs,
    relayPorts: () => relayPorts,
    gatewaySecret,
    server: link,
    threads,
  });
  const server = createGatewayServer({ sessions, handlers, log });
  const sockets = new Set<Socket>();
  return {
    accept: (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      server.emit('connection', socket);
      socket.resume(); // the process that has accepted it has read nothing
    },
    onServerMessage: (message) => link.onMessage(message),
    setRelayPorts: (ports) => {
      relayPorts = ports;
    },
    [Symbol.dispose]() {
      sessions[Symbol.dispose]();
      threads[Symbol.dispose]();
      for (const socket of sockets) socket.destroy(); // a server that does not listen does not know them
    },
  };
}
