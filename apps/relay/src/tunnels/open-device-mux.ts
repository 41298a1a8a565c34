import type { TLSSocket } from 'node:tls';
import { connectMux, type Mux, type MuxOptions, type WindowBudget } from '@tongtu/tunnel';
import type { RelayLimits } from '../config/relay-limits.ts';

export type DeviceMuxDeps = {
  limits: RelayLimits;
  windowBudget: WindowBudget;
  /** Runs the work after the end of a connection; see `PacedWork`. */
  defer: (work: () => void) => void;
  monotonicMs: () => number;
};

type DeviceMux = {
  mux: Mux;
  /** Closes the connection, unless it is cleared after the login. */
  loginTimer: NodeJS.Timeout;
};

/** The mux of a connection that a device's program has opened. `extraStreams`: besides those to targets. */
export function openDeviceMux(
  socket: TLSSocket,
  { limits, windowBudget, defer, monotonicMs }: DeviceMuxDeps,
  { extraStreams, ...events }: Pick<MuxOptions, 'onStream' | 'onClose'> & { extraStreams: number },
): DeviceMux {
  const mux = connectMux(socket, {
    role: 'server',
    monotonicMs,
    limits: { maxStreams: limits.maxStreamsPerTunnel + extraStreams },
    windowBudget,
    defer,
    ...events,
  });
  return { mux, loginTimer: setTimeout(() => mux.close(), limits.loginTimeoutMs) };
}
