import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';

export type ToGateway =
  | { type: 'start'; gatewaySecret: string; logLevel: string }
  /** The ports for the gateway of the relays. */
  | { type: 'relays'; ports: number[] }
  /** Comes with a relay's connection. */
  | { type: 'connection' }
  | { type: 'server'; message: ServerToGateway };

export type FromGateway =
  /** The event loop runs. */
  { type: 'beat' } | { type: 'server'; message: GatewayToServer };
