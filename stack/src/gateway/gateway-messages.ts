import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';

export type ToGateway =
  /** `port`: where it listens on this machine; 0: anywhere. */
  | { type: 'start'; port: number; gatewaySecret: string; logLevel: string }
  /** The ports for the gateway of the relays. */
  | { type: 'relays'; ports: number[] }
  | { type: 'server'; message: ServerToGateway };

export type FromGateway =
  /** The event loop runs. */
  { type: 'beat' } | { type: 'listening'; port: number } | { type: 'server'; message: GatewayToServer };
