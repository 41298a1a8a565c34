import type { FastifyReply, FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'sessionid';

/** Who is calling. `isManager`: any of staff, promoter, superuser (specification §6); `isStaff`: works for the operator. */
export type Session = { userId: number; idHash: Buffer; isManager: boolean; isStaff: boolean };

/** The request being served and its reply: what reads and writes cookies needs. */
export type HttpCall = { req: FastifyRequest; reply: FastifyReply };

/** What http needs to know of sessions; features/sessions implements it. */
export type SessionSource = {
  /** The living session of the request's cookie, whose life it prolongs. */
  find: (call: HttpCall) => Promise<Session | undefined>;
};
