import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';

export type ToGateway =
  | { type: 'start'; gatewaySecret: string; logLevel: string }
  /** The ports for the gateway of the relays. */
  | { type: 'relays'; ports: number[] }
  /** Comes with a relay's connection. */
  | { type: 'connection'; id: number }
  | { type: 'server'; message: ServerToGateway };

export type FromGateway =
  /** The event loop runs. */
  | { type: 'beat' }
  /** The connection has arrived: the main process closes its own copy. */
  | { type: 'accepted'; id: number }
  | { type: 'server'; message: GatewayToServer };
