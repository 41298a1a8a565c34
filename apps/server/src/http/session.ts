import type { ApiScope, RoleFlags } from '@tongtu/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who is calling: a browser that is logged in, or a program with an API token. */
export type Session = {
  userId: number;
  /** Of a browser; undefined for an API token. */
  sessionId: number | undefined;
  /** SHA-256 of what the caller holds: the session's id or the API token. */
  idHash: Buffer;
  /** Of the account, as they are now. */
  flags: RoleFlags;
  /** The caller has proven within ten minutes who they are. */
  isConfirmed: boolean;
  /** What an API token is allowed; undefined for a browser. */
  scopes: readonly ApiScope[] | undefined;
};

export type FlaggedAccount = { isStaff: boolean; isPromoter: boolean; isSuperuser: boolean };

/** The flags of a row by their names in the contract. */
export function flagsOf({ isStaff, isPromoter, isSuperuser }: FlaggedAccount): RoleFlags {
  return { is_staff: isStaff, is_promoter: isPromoter, is_superuser: isSuperuser };
}

/** The request being served and its reply: what reads and writes cookies needs. */
export type HttpCall = { req: FastifyRequest; reply: FastifyReply };
/** For what reads a request's headers and cookies and answers nothing. */
export type CallRequest = FastifyRequest;

/** What http needs to know of callers; features/sessions and features/api-tokens implement it. */
export type SessionSource = {
  /** The living session of the request's cookie, whose life it prolongs. */
  find: (call: HttpCall) => Promise<Session | undefined>;
  /** Whose API token this is; undefined for one that is unknown or has expired. */
  findByToken: (token: string) => Promise<Session | undefined>;
};
