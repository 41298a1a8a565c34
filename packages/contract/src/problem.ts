import { z } from 'zod';

/** RFC 9457 problem details: the body of every error reply (`application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().describe('Chinese, for people'),
  code: z.string().describe('for programs; one of the error catalogue'),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  request_id: z.string(),
});
export type Problem = z.infer<typeof Problem>;
