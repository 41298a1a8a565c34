import { z } from 'zod';

/** The most characters that are kept of a path and of a User-Agent. */
export const MAX_VISIT_PATH = 1_024;
export const MAX_VISIT_USER_AGENT = 256;
/** Of the name of a program of the owner. */
export const MAX_VISIT_WHO_NAME = 128;
/** The most records in one message of a relay. */
export const MAX_VISIT_BATCH = 1_000;

/** served: it got its whole answer; denied: it may not come in; failed: there was no answer, or it was cut; aborted: the visitor left. */
export const VisitOutcome = z.enum(['served', 'denied', 'failed', 'aborted']);
export type VisitOutcome = z.infer<typeof VisitOutcome>;

/** One request, TCP connection or UDP conversation of a mapping with a visitor log, as a relay reports it at its end. */
export const VisitRecord = z.object({
  mappingId: z.number().int().positive(),
  atMs: z.number().int().nonnegative().describe('its begin'),
  ms: z.number().int().nonnegative().describe('from its begin to its end'),
  address: z.string().max(64),
  /** Why the visitor was let in. `verified`: by the verification with that id. `owner`: a program of the owner. */
  grounds: z.enum(['owner', 'public', 'allow_list', 'verified', 'none']),
  verificationId: z.number().int().positive().optional(),
  whoName: z.string().max(MAX_VISIT_WHO_NAME).optional().describe('with `owner`: what the program calls itself'),
  outcome: VisitOutcome,
  reason: z.string().max(40).describe('of a denial or failure; otherwise empty'),
  method: z.string().max(20).describe('of HTTP, or `TLS`, `TCP` or `UDP`'),
  path: z.string().max(MAX_VISIT_PATH).describe('without the query; empty if there is none'),
  userAgent: z.string().max(MAX_VISIT_USER_AGENT),
  status: z.number().int().nullable(),
  bytesIn: z.number().int().nonnegative(),
  bytesOut: z.number().int().nonnegative(),
});
export type VisitRecord = z.infer<typeof VisitRecord>;

/** The visits of a mapping that were counted and not recorded. */
export const UnrecordedVisits = z.object({
  mappingId: z.number().int().positive(),
  denied: z.number().int().nonnegative(),
  others: z.number().int().nonnegative(),
});
export type UnrecordedVisits = z.infer<typeof UnrecordedVisits>;
