import { z } from 'zod';
import { Timestamp } from './shared.ts';

/** The state of a custom domain's certificate. */
export const MappingCertificate = z.object({
  state: z.enum(['waiting', 'ready', 'failed']).describe('ready: visitors see a valid one'),
  not_after: Timestamp.nullable(),
  error: z.string().nullable().describe('why the last try failed; with `ready` it was a renewal'),
});
export type MappingCertificate = z.infer<typeof MappingCertificate>;
