/**
 * How the gateway asks a relay for a connection to the target of a cloud app: over TCP on this machine, one line of
 * JSON. The relay answers at once with `opened` or a failure; after `opened` the gateway may send the bytes for the
 * target. A second outcome precedes the target's first bytes: `connected`, or the failure at which the device arrived.
 */
import { z } from 'zod';
import type { AppFailure } from './app-failures.ts';

export const AppStreamRequest = z.object({
  secret: z.string().max(200),
  app: z.number().int().positive(),
  /** Of the visitor, for limits and for the agent. */
  address: z.string().max(64),
});
export type AppStreamRequest = z.infer<typeof AppStreamRequest>;

/** With the line break at its end. */
export const MAX_APP_STREAM_LINE_BYTES = 1_024;

/** The values of the outcome bytes, from 0 on. */
export const appStreamOutcomes = [
  'opened',
  'connected',
  'refused',
  'not-found',
  'timed-out',
  'not-allowed',
  'lost',
  'busy',
  'device-offline',
  'agent-outdated',
  'changed',
] as const satisfies readonly ('opened' | 'connected' | AppFailure)[];
export type AppStreamOutcome = (typeof appStreamOutcomes)[number];
