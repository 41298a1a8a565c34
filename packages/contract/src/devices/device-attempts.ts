import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';

/** What a relay sees of a device that does not become one. */
export const relayAttemptKinds = [
  'device_unknown',
  'device_suspended',
  'protocol_unsupported',
  'broken_off',
  'certificate_refused',
  'clock_wrong',
  'name_unknown',
  'frpc_unknown',
  'frpc_token',
  'frpc_twice',
  'frpc_clock',
  'frpc_no_tls',
  'frpc_protocol',
] as const;

/** What the server sees besides: the first steps of an installation, and refused tokens. */
const serverAttemptKinds = ['script', 'agent', 'token_invalid', 'key_used', 'key_expired', 'key_in_use'] as const;

export const RelayAttemptKind = z.enum(relayAttemptKinds);
export type RelayAttemptKind = z.infer<typeof RelayAttemptKind>;
export const DeviceAttemptKind = z.enum([...serverAttemptKinds, ...relayAttemptKinds]);
export type DeviceAttemptKind = z.infer<typeof DeviceAttemptKind>;

/** How long the server remembers an attempt. */
export const DEVICE_ATTEMPT_MINUTES = 30;

/** Neither address nor name nor token: others may share the caller's network. */
export const DeviceAttempt = z.object({
  kind: DeviceAttemptKind,
  is_own: z.boolean().describe('by a key or a device of the caller; false: from the network that the caller uses now'),
  seconds_ago: z.number().int().nonnegative().describe('since the last such attempt'),
});
export type DeviceAttempt = z.infer<typeof DeviceAttempt>;

export const deviceAttemptEndpoints = {
  'GET /api/user/device_attempts/': {
    summary: '最近接入设备的尝试和失败的原因',
    description:
      'Attempts with a key or a device of the caller, and those from the network that the caller uses now (IPv4 /24, ' +
      'IPv6 /64) that belong to nobody. The newest first; each kind once.',
    query: z.object({
      within_seconds: z.coerce
        .number()
        .int()
        .min(1)
        .max(DEVICE_ATTEMPT_MINUTES * 60),
    }),
    response: z.array(DeviceAttempt),
    errors: ['session.required'],
  },
} as const satisfies Endpoints;
