import { percentileMs, type UsageFigures } from '@tongtu/contract';
import type { UsageRow } from './statistics-store.ts';
import { countSketch, mergeSketches } from './usage-source.ts';

type Sum = Omit<UsageRow, 'at'>;

/** Adds up rows: the same result whatever the order. */
export function figuresOf(rows: readonly Sum[]): UsageFigures {
  const sum = (read: (row: Sum) => number) => rows.reduce((total, row) => total + read(row), 0);
  const latency: number[] = [];
  for (const row of rows)
    for (const [bucket, count] of row.latency.entries()) latency[bucket] = (latency[bucket] ?? 0) + count;
  const visitors = countSketch(mergeSketches(rows.map((row) => row.visitors)));
  const networks = countSketch(mergeSketches(rows.map((row) => row.networks)));
  return {
    bytes_in: sum((row) => row.bytesIn),
    bytes_out: sum((row) => row.bytesOut),
    requests: sum((row) => row.requests),
    ok: sum((row) => row.ok),
    client_errors: sum((row) => row.clientErrors),
    server_errors: sum((row) => row.serverErrors),
    failed: sum((row) => row.failed),
    visitors: visitors.count,
    networks: networks.count,
    is_exact: visitors.isExact && networks.isExact && !rows.some((row) => row.isTruncated),
    p50_ms: percentileMs(latency, 0.5),
    p95_ms: percentileMs(latency, 0.95),
  };
}
