import { z } from 'zod';

/** RFC 9457 problem details: the body of every error reply (`application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().describe('for people: Chinese, or English where `Accept-Language` prefers it'),
  code: z.string().describe('for programs; one of the error catalogue'),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('what is wrong with single fields, in the language of `detail`'),
  request_id: z.string(),
});
export type Problem = z.infer<typeof Problem>;
