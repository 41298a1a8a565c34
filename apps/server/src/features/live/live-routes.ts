import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { LiveStreams } from './live-streams.ts';

/** `GET /api/user/events/`: server-sent events (`LiveEvent` of the contract) for the pages of one user. */
export function registerLiveRoutes(app: FastifyInstance, deps: { streams: LiveStreams }): void {
  app.get('/api/user/events/', { exposeHeadRoute: false }, async (req, reply) => {
    const session = await app.callGuard.sessions.find({ req, reply });
    if (!session) throw new AppError('session.required');
    reply.hijack();
    deps.streams.open(reply.raw, session);
  });
}
