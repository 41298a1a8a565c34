import type { DeviceAttempt, DeviceAttemptKind } from '@tongtu/contract';
import type { ProblemKind } from '../../../text/devices/add-device.ts';
import type { Program } from './boxes.ts';

export type Advice = {
  /** Why the device is not let in; the most precise first. */
  problems: ProblemKind[];
  /** How far the installation has come. */
  step: 'script' | 'agent' | undefined;
};

/** What each program can run into, the most precise first. `broken_off` is seen along with most others. */
const problemsOf: Record<Program, readonly ProblemKind[]> = {
  agent: [
    ...(['key_used', 'key_expired', 'key_in_use', 'token_invalid', 'device_unknown', 'device_suspended'] as const),
    ...(['protocol_unsupported', 'clock_wrong', 'certificate_refused', 'broken_off'] as const),
  ],
  frpc: [
    ...(['frpc_token', 'frpc_twice', 'frpc_clock', 'frpc_unknown', 'device_suspended'] as const),
    ...(['frpc_no_tls', 'frpc_protocol', 'clock_wrong', 'certificate_refused', 'name_unknown'] as const),
  ],
};

/** What helps who waits for a device, from what the server has seen since the text was shown. */
export function adviceOf(attempts: readonly DeviceAttempt[], program: Program): Advice {
  const seen = new Set<DeviceAttemptKind>(attempts.map(({ kind }) => kind));
  const problems = problemsOf[program].filter((kind) => seen.has(kind));
  const precise = problems.length > 1 ? problems.filter((kind) => kind !== 'broken_off') : problems;
  const step = seen.has('agent') ? 'agent' : seen.has('script') ? 'script' : undefined;
  return { problems: precise, step: program === 'agent' ? step : undefined };
}
