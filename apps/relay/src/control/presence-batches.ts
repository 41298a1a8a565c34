import type { PresenceEvent } from '@tongtu/contract';

/** The server takes messages of 4 MB, and presence of 10 000 devices at once. */
const MAX_BATCH_BYTES = 3 * 1024 * 1024;
const MAX_BATCH_EVENTS = 10_000;

/** The events in their order, in parts that the server takes as one message each. None for no events. */
export function presenceBatches(events: readonly PresenceEvent[]): PresenceEvent[][] {
  const batches: PresenceEvent[][] = [];
  let batch: PresenceEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const eventBytes = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (batch.length > 0 && (bytes + eventBytes > MAX_BATCH_BYTES || batch.length === MAX_BATCH_EVENTS)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(event);
    bytes += eventBytes;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
