import { type ApiScope, AppError, type RoleFlags } from '@tongtu/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The caller: a browser that is logged in, or a program with an API token. */
export type Session = {
  userId: number;
  /** Undefined for an API token. */
  sessionId: number | undefined;
  /** SHA-256 of the session's id or of the API token. */
  idHash: Buffer;
  /** The account's current roles. */
  flags: RoleFlags;
  /**
   * Whether the user has confirmed their identity within ten minutes. An API token cannot confirm: it counts as confirmed with
   * the scope `access:write`, which a confirmed call gave to it.
   */
  isConfirmed: boolean;
  /** The API token's scopes. Undefined for a browser. */
  scopes: readonly ApiScope[] | undefined;
};

/** The user as somebody who changes something. */
export type Caller = Pick<Session, 'userId' | 'isConfirmed' | 'scopes'>;

export function callerOf({ userId, isConfirmed, scopes }: Session): Caller {
  return { userId, isConfirmed, scopes };
}

/** For a change that weakens a protection. Throws session.confirm-required; for an API token session.scope. */
export function assertConfirmed({ isConfirmed, scopes }: Pick<Session, 'isConfirmed' | 'scopes'>): void {
  if (!isConfirmed) throw new AppError(scopes === undefined ? 'session.confirm-required' : 'session.scope');
}

export type FlaggedAccount = { isStaff: boolean; isPromoter: boolean; isSuperuser: boolean };

/** The role flags of an account's row, under their names in the contract. */
export function flagsOf({ isStaff, isPromoter, isSuperuser }: FlaggedAccount): RoleFlags {
  return { is_staff: isStaff, is_promoter: isPromoter, is_superuser: isSuperuser };
}

/** A request and its reply, to read and write cookies. */
export type HttpCall = { req: FastifyRequest; reply: FastifyReply };
/** A request whose headers and cookies are read. */
export type CallRequest = FastifyRequest;

/** Finds callers. features/sessions and features/api-tokens implement it. */
export type SessionSource = {
  /** Finds the valid session of the request's cookie and extends it. */
  find: (call: HttpCall) => Promise<Session | undefined>;
  /** Finds the API token. Undefined if it is unknown or expired. */
  findByToken: (token: string) => Promise<Session | undefined>;
};
