import type { RelayConfig } from '@tongtu/relay';

/** What a relay process has to know; everything in it can be sent to another process. */
export type RelayProcessConfig = Omit<RelayConfig, 'isConsoleHost'> & { consoleNames: string[] };

export type ToRelay =
  | { type: 'start'; config: RelayProcessConfig; logLevel: string }
  /** No other relay serves visitors: end the warm-up. */
  | { type: 'open' }
  /** Stop while other relays go on; the answer to `wants-to-hand-over`. */
  | { type: 'hand-over' }
  | { type: 'stop' };

/** How often a relay reports that its event loop runs. */
export const BEAT_EVERY_MS = 1_000;

export type FromRelay =
  /** The event loop runs; sent every `BEAT_EVERY_MS`. */
  | { type: 'beat' }
  /** The ports are bound. `gatewayPort`: where the gateway gets connections to the targets of cloud apps. */
  | { type: 'listening'; gatewayPort?: number | undefined }
  /** A port cannot be bound; the process ends. */
  | { type: 'failed'; message: string; code: string | undefined; port: number | undefined }
  /** The routes are known. */
  | { type: 'ready' }
  /** Visitors are let in. */
  | { type: 'opened' }
  /** An operator has sent SIGTERM. The relay serves on until it gets `hand-over`. */
  | { type: 'wants-to-hand-over' }
  /** How many devices are connected to this relay; sent when it has changed. */
  | { type: 'devices'; count: number };
