/**
 * The upper bounds of the buckets of a latency histogram, in milliseconds; the last bucket has none. Each is at most half
 * larger than the one before, so a percentile is exact to that. Stored counts depend on this list: it never changes.
 */
export const LATENCY_BOUNDS_MS = [
  ...[1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192],
  ...[256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12_288, 16_384, 32_768],
] as const;

/** The bucket of a time. */
export function latencyBucketOf(ms: number): number {
  let bucket = 0;
  while (bucket < LATENCY_BOUNDS_MS.length && ms > (LATENCY_BOUNDS_MS[bucket] as number)) bucket++; // the index is in range
  return bucket;
}

/** The time that `share` of the counted requests did not exceed, interpolated inside its bucket. Null without requests. */
export function percentileMs(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
      const to = LATENCY_BOUNDS_MS[bucket] ?? from;
      return from + ((to - from) * (rank - below)) / count;
    }
    below += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
