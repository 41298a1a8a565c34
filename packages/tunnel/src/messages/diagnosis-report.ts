/**
 * What an agent finds out about its own connection. The agent says it in its own words (Chinese), so that an older console
 * can show what a newer agent knows. The agent may be hostile: every text and list has a limit.
 */
import { z } from 'zod';

export const MAX_DIAGNOSED_ADDRESSES = 20;
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
  /** The oldest first. */
  history: z.array(z.object({ at: z.iso.datetime(), text: Text })).max(MAX_DIAGNOSED_EVENTS),
});
export type DiagnosisReport = z.infer<typeof DiagnosisReport>;
