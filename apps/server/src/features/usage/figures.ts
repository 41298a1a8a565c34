import { percentileMs, type UsageFigures } from '@tongtu/contract';
import type { UsageSums } from './statistics-store.ts';
import { countSketch } from './usage-source.ts';

const NOTHING: UsageSums = {
  ...{ bytesIn: 0, bytesOut: 0, requests: 0, ok: 0, clientErrors: 0, serverErrors: 0, failed: 0, latency: [] },
  ...{ visitorSize: 0, visitorLargest: null, networkSize: 0, networkLargest: null, isTruncated: false },
};

/** The figures of a reply; without a row they are zero. */
export function figuresOf(sums: UsageSums = NOTHING): UsageFigures {
  const visitors = countSketch(sums.visitorSize, sums.visitorLargest);
  const networks = countSketch(sums.networkSize, sums.networkLargest);
  return {
    bytes_in: sums.bytesIn,
    bytes_out: sums.bytesOut,
    requests: sums.requests,
    ok: sums.ok,
    client_errors: sums.clientErrors,
    server_errors: sums.serverErrors,
    failed: sums.failed,
    visitors: visitors.count,
    networks: networks.count,
    is_exact: visitors.isExact && networks.isExact && !sums.isTruncated,
    p50_ms: percentileMs(sums.latency, 0.5),
    p95_ms: percentileMs(sums.latency, 0.95),
  };
}
