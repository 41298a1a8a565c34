import type { WindowBudget } from './flow-control.ts';
import type { MuxStream, MuxStreamEvents } from './stream.ts';

export type MuxOptions = {
  role: 'client' | 'server';
  /** Monotonic milliseconds. */
  monotonicMs: () => number;
  /** The peer opened a stream; what it sends goes to the events returned. */
  onStream: (stream: MuxStream) => MuxStreamEvents;
  /** Output went from empty to non-empty: arrange for `takeOutput`. */
  onOutput: () => void;
  /** Once, after every stream was told `onReset`. Undefined: closed on purpose, by us or by the peer. */
  onClose: (error: Error | undefined) => void;
  limits?: Partial<MuxLimits>;
  /** Grown windows draw on this as well, so that many muxes share one allowance. */
  windowBudget?: WindowBudget;
};

export type MuxLimits = {
  /** Streams open at once, counted apart for those we open and those the peer opens. */
  maxStreams: number;
  /** How far the receive window of one stream may grow. */
  maxStreamWindowBytes: number;
  /** What all streams of this mux together may have in windows beyond the first 256 KB of each. */
  maxGrownWindowBytes: number;
  /** `write` returns false from this much queued on; `onDrain` comes at half of it. */
  writeHighWaterBytes: number;
  /** Ping replies, resets and the like that the peer does not read; more ends the mux. */
  maxUrgentBytes: number;
};

export const defaultMuxLimits: MuxLimits = {
  maxStreams: 4096,
  maxStreamWindowBytes: 16 * 1024 * 1024,
  maxGrownWindowBytes: 64 * 1024 * 1024,
  writeHighWaterBytes: 256 * 1024,
  maxUrgentBytes: 256 * 1024,
};
