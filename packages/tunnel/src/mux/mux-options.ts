import type { WindowBudget } from './flow-control.ts';
import type { MuxStream, MuxStreamEvents } from './stream.ts';

export type MuxOptions = {
  role: 'client' | 'server';
  monotonicMs: () => number;
  /** The peer opened a stream. The returned events receive its data. */
  onStream: (stream: MuxStream) => MuxStreamEvents;
  /** There is output that may be sent, after there was none: schedule `takeOutput`. */
  onOutput: () => void;
  /** Called once, after `onReset` of every stream. Undefined: closed on purpose, by us or by the peer. */
  onClose: (error: Error | undefined) => void;
  /**
   * Keeps what was sent until the peer has received it, so that the mux can go on over another connection. The peer must
   * be a mux of ours: the values of its pings say how many bytes it has received.
   */
  isResumable?: boolean;
  limits?: Partial<MuxLimits>;
  /** Parent of the budget of this mux, so that many muxes share one limit. */
  windowBudget?: WindowBudget;
};

export type MuxLimits = {
  /** Open streams, counted separately for streams of ours and of the peer. */
  maxStreams: number;
  /** How far the receive window of one stream may grow. */
  maxStreamWindowBytes: number;
  /** How much all windows of this mux together may grow beyond the initial 256 KB of each. */
  maxGrownWindowBytes: number;
  /** `write` returns false when this much is queued; `onDrain` is called at half of it. */
  writeHighWaterBytes: number;
  /** Queued ping replies, resets and similar frames that the peer does not read. More ends the mux. */
  maxUrgentBytes: number;
};

export const defaultMuxLimits: MuxLimits = {
  maxStreams: 4096,
  maxStreamWindowBytes: 16 * 1024 * 1024,
  maxGrownWindowBytes: 64 * 1024 * 1024,
  writeHighWaterBytes: 256 * 1024,
  maxUrgentBytes: 256 * 1024,
};
