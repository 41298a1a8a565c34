import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Role } from './roles.ts';

/** What an API token may be allowed; a call that names none is for logged-in browsers only. */
export const apiScopes = [
  'devices:read',
  'devices:write',
  'mappings:write',
  'access:write',
  'records:read',
  'records:write',
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** What an API token must be allowed besides, to send a field with any other value than `free`. */
export type FieldScope = { scope: ApiScope; free?: string };
export type FieldScopes<Field extends string = string> = Readonly<Partial<Record<Field, FieldScope>>>;

export type Endpoint = {
  summary: string;
  /** What the schemas cannot say, for the readers of the API's document. */
  description?: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a success answers with; its status is 200 unless `status` says otherwise. */
  response: z.ZodType;
  status?: 201;
  errors: readonly ErrorCode[];
  /** Of a GET: it does more than read, so that `call-limits.ts` must have a line for it as for any other method. */
  changes?: true;
  /**
   * `raw` calls carry no CSRF header (specification §7), so they accept same-origin requests only. `program`: those of
   * programs, which send no Origin; what a browser sends for another site is refused here, too.
   */
  raw?: true | 'program';
  /** For users with this role only: `session.forbidden` otherwise. */
  role?: Role;
  /** API tokens with this scope may call it, too. */
  scope?: ApiScope;
  /** Fields of the body that say more than `scope` allows. */
  fieldScopes?: FieldScopes;
  /**
   * Only soon after the caller has proven again who they are: `session.confirm-required` otherwise. `with-factor`: for what
   * the password or a phone alone would open; only where two-step login is on, and a second factor is the proof then.
   */
  confirmed?: true | 'with-factor';
};
export type Endpoints = Record<string, Endpoint>;
