import type { z } from 'zod';

/** Parses a notification's payload. Undefined if it is invalid, for example from another version. */
export function parseNotification<Schema extends z.ZodType>(
  schema: Schema,
  payload: string,
): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(payload));
  } catch {
    return undefined; // every database user may notify, and an invalid payload must not end the process
  }
}
