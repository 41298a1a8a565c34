import type { z } from 'zod';
import type { ErrorCode } from './messages/errors.ts';
import type { Role } from './user-management/roles.ts';

/** The scopes of API tokens. A call without a scope is for logged-in browsers only. */
export const apiScopes = [
  'devices:read',
  'devices:write',
  'mappings:write',
  'access:write',
  'records:read',
  'records:write',
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** The scope that an API token needs besides, to send a field with any value but `free`. */
export type FieldScope = { scope: ApiScope; free?: string };
export type FieldScopes<Field extends string = string> = Readonly<Partial<Record<Field, FieldScope>>>;

export type Endpoint = {
  summary: string;
  /** What the schemas cannot express; shown in the API document. */
  description?: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body of a successful reply. Its status is 200 unless `status` is set. */
  response: z.ZodType;
  status?: 201;
  errors: readonly ErrorCode[];
  /** For a GET that does more than read: `call-limits.ts` must then list it like any other method. */
  changes?: true;
  /**
   * `raw` calls carry no CSRF header (specification §7), so they accept same-origin requests only. `program`: for calls
   * from programs, which send no Origin; a cross-site request of a browser is refused.
   */
  raw?: true | 'program';
  /** The caller must have this role; otherwise `session.forbidden`. */
  role?: Role;
  /** API tokens with this scope may make the call as well. */
  scope?: ApiScope;
  /** Fields of the body that need another scope besides `scope`. */
  fieldScopes?: FieldScopes;
  /**
   * The caller must have confirmed their identity within the last minutes; otherwise `session.confirm-required`.
   * `with-factor`: only for accounts with two-step login, and the confirmation must use the second factor. It protects
   * settings that a stolen password or phone alone must not change. `by-content`: only where the call weakens a
   * protection, which its handler decides (`assertConfirmed`). docs/confirmations.md has the decision for every call.
   * An API token cannot confirm: its scopes count, because a confirmed call gave them to it. `by-content` then needs
   * `access:write`.
   */
  confirmed?: true | 'with-factor' | 'by-content';
  /** The reply is a CSV file in place of JSON, see `mountCsv`. */
  csv?: true;
  /** Where BILLING is off the call answers `billing.off`. */
  billing?: true;
};
export type Endpoints = Record<string, Endpoint>;
