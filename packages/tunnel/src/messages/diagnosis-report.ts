/**
 * What an agent finds out about its own connection. The agent says it in its own words (Chinese), so that an older console
 * can show what a newer agent knows. The agent may be hostile: every text and list has a limit.
 */
import { z } from 'zod';

export const MAX_DIAGNOSED_ADDRESSES = 20;
export const MAX_DIAGNOSED_CONNECTIONS = 48;
export const MAX_DIAGNOSED_EVENTS = 200;
export const MAX_DIAGNOSIS_TEXT_LENGTH = 300;

const Text = z.string().max(MAX_DIAGNOSIS_TEXT_LENGTH);

/** An address that was looked up or connected to. */
export const DiagnosedAddress = z.object({
  name: Text,
  ok: z.boolean(),
  ms: z.number().int().nonnegative(),
  /** What was found, or why it failed. */
  text: Text,
});
export type DiagnosedAddress = z.infer<typeof DiagnosedAddress>;

/** How a connection to a relay fares, as the kernel of the one who sends over it says. Null: unknown. */
export const DiagnosedConnection = z.object({
  /** The relay's address. */
  name: Text,
  rttMs: z.number().nonnegative().nullable(),
  /** The share of the bytes that had to be sent again. */
  lossPercent: z.number().min(0).max(100).nullable(),
  congestionControl: z.string().max(20).nullable(),
  bytesPerS: z.number().nonnegative().nullable(),
});
export type DiagnosedConnection = z.infer<typeof DiagnosedConnection>;

export const DiagnosisReport = z.object({
  agentVersion: z.string().max(40),
  protocol: z.number().int(),
  features: z.array(z.string().max(40)).max(64),
  system: z.object({
    platform: Text,
    node: z.string().max(40),
    uptimeSeconds: z.number().nonnegative(),
    freeMiB: z.number().nonnegative(),
    totalMiB: z.number().nonnegative(),
    load: z.number().nonnegative(),
  }),
  /** Settings of the environment that lead traffic elsewhere, without passwords. */
  proxies: z.array(z.object({ name: z.string().max(40), value: Text })).max(MAX_DIAGNOSED_ADDRESSES),
  serverUrl: Text,
  server: DiagnosedAddress.nullable(),
  /** How far the device's clock is ahead of the server's; null: unknown. */
  clockAheadSeconds: z.number().int().nullable(),
  dns: z.array(DiagnosedAddress).max(MAX_DIAGNOSED_ADDRESSES),
  relays: z.array(DiagnosedAddress).max(MAX_DIAGNOSED_ADDRESSES),
  /** What the device sends to its relays by. Older agents do not say it. */
  connections: z.array(DiagnosedConnection).max(MAX_DIAGNOSED_CONNECTIONS).optional(),
  /** Whether these connections use a congestion control for lossy lines; if not, what to run. */
  bbr: z.object({ ok: z.boolean(), text: Text }).optional(),
  /** The oldest first. */
  history: z.array(z.object({ at: z.iso.datetime(), text: Text })).max(MAX_DIAGNOSED_EVENTS),
});
export type DiagnosisReport = z.infer<typeof DiagnosisReport>;
