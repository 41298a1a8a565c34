import type { z } from 'zod';

/** A notification's payload; undefined for what nobody of this version sent. */
export function readNotice<Schema extends z.ZodType>(schema: Schema, payload: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(payload));
  } catch {
    return undefined; // anyone with the database may notify; a bad payload must not end the process
  }
}
