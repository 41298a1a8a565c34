import { sql } from 'kysely';

// The columns of usage, which all tables of sums share.

export const sumNames = sql`
  bytes_in, bytes_out, requests, ok, client_errors, server_errors, failed, first_byte_ms, answered, latency, visitors,
  networks, is_truncated`;

/** Adds up the rows of a group. */
export const sums = sql`
  sum(bytes_in), sum(bytes_out), sum(requests), sum(ok), sum(client_errors), sum(server_errors), sum(failed),
  sum(first_byte_ms), sum(answered), sum_counts(latency), merge_sketches(visitors), merge_sketches(networks),
  bool_or(is_truncated)`;

/** Adds a row to the stored one, which is called `total`. */
export const addExcluded = sql`
  bytes_in = total.bytes_in + excluded.bytes_in,
  bytes_out = total.bytes_out + excluded.bytes_out,
  requests = total.requests + excluded.requests,
  ok = total.ok + excluded.ok,
  client_errors = total.client_errors + excluded.client_errors,
  server_errors = total.server_errors + excluded.server_errors,
  failed = total.failed + excluded.failed,
  first_byte_ms = total.first_byte_ms + excluded.first_byte_ms,
  answered = total.answered + excluded.answered,
  latency = add_counts(total.latency, excluded.latency),
  visitors = merge_sketches(total.visitors, excluded.visitors),
  networks = merge_sketches(total.networks, excluded.networks),
  is_truncated = total.is_truncated or excluded.is_truncated`;

/** Replaces the stored row. */
export const replaceByExcluded = sql`
  bytes_in = excluded.bytes_in,
  bytes_out = excluded.bytes_out,
  requests = excluded.requests,
  ok = excluded.ok,
  client_errors = excluded.client_errors,
  server_errors = excluded.server_errors,
  failed = excluded.failed,
  first_byte_ms = excluded.first_byte_ms,
  answered = excluded.answered,
  latency = excluded.latency,
  visitors = excluded.visitors,
  networks = excluded.networks,
  is_truncated = excluded.is_truncated`;
