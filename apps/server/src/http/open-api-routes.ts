import type { FastifyInstance } from 'fastify';
import { buildOpenApi } from './open-api.ts';

export function serveOpenApi(app: FastifyInstance, { version }: { version: string }): void {
  const document = buildOpenApi(version);
  app.get('/api/openapi.json', async (_req, reply) => reply.header('cache-control', 'no-cache').send(document));
}
