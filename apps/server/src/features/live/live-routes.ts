import type { FastifyInstance } from 'fastify';
import { authorize } from '../../http/authorize.ts';
import type { LiveStreams } from './live-streams.ts';

/** `GET /api/user/events/`: server-sent events (`LiveEvent` of the contract) for the consoles of one user. */
export function registerLiveRoutes(app: FastifyInstance, deps: { streams: LiveStreams }): void {
  app.get('/api/user/events/', { exposeHeadRoute: false }, async (req, reply) => {
    const session = await authorize(app.callGuard, {}, 'required', { req, reply });
    reply.hijack();
    deps.streams.open(reply.raw, session);
  });
}
