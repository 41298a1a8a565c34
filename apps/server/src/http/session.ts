import type { FastifyReply, FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'sessionid';

/** Who is calling. `isManager`: any of staff, promoter, superuser (specification §6). */
export type Session = { userId: number; idHash: Buffer; isManager: boolean };

/** What http needs to know of sessions; features/sessions implements it. */
export type SessionSource = {
  /** The living session of the request's cookie, whose life it prolongs. */
  find: (req: FastifyRequest, reply: FastifyReply) => Promise<Session | undefined>;
};
