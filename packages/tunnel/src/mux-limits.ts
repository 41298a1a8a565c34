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
