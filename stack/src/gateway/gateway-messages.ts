import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';

export type ToGateway =
  /** `port`: where it listens on this machine; 0: anywhere. */
  | { type: 'start'; port: number; doorSecret: string; logLevel: string }
  /** The app doors of the relays. */
  | { type: 'doors'; ports: number[] }
  | { type: 'server'; message: ServerToGateway };

export type FromGateway =
  /** The event loop runs. */
  { type: 'beat' } | { type: 'listening'; port: number } | { type: 'server'; message: GatewayToServer };
