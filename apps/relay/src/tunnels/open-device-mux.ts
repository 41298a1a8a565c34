import type { TLSSocket } from 'node:tls';
import { type CarrierOptions, MuxCarrier, type WindowBudget } from '@tongtu/tunnel';
import type { RelayLimits } from '../config/relay-limits.ts';

export type DeviceMuxDeps = {
  limits: RelayLimits;
  windowBudget: WindowBudget;
  /** Runs the work after the end of a connection; see `PacedWork`. */
  defer: (work: () => void) => void;
  monotonicMs: () => number;
};

type DeviceMux = {
  carrier: MuxCarrier;
  /** Closes the connection, unless it is cleared after the login. */
  loginTimer: NodeJS.Timeout;
};

type MuxEvents = Pick<CarrierOptions, 'onStream' | 'onClose' | 'onDisconnect' | 'isResumable'> & {
  /** Streams besides those to targets. */
  extraStreams: number;
};

/** The mux of a connection that a device's program has opened. */
export function openDeviceMux(socket: TLSSocket, deps: DeviceMuxDeps, events: MuxEvents): DeviceMux {
  const carrier = createCarrier(deps, events);
  carrier.attach(socket);
  return { carrier, loginTimer: setTimeout(() => carrier.mux.close(), deps.limits.loginTimeoutMs) };
}

/** A mux of a device without a connection. */
export function createCarrier(
  { limits, windowBudget, defer, monotonicMs }: DeviceMuxDeps,
  { extraStreams, ...events }: MuxEvents,
): MuxCarrier {
  return new MuxCarrier({
    role: 'server',
    monotonicMs,
    limits: { maxStreams: limits.maxStreamsPerTunnel + extraStreams },
    windowBudget,
    defer,
    ...events,
  });
}
