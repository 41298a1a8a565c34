import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const HASHED = /\/assets\//;

/** Serves the built console. Its router lives in the URL fragment, so `/` is the only page. */
export async function serveConsole(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false, // only existing files get a route; all other paths answer 404
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // Vite puts a content hash into the names of files in assets/.
      const isImmutable = HASHED.test(file.replaceAll('\\', '/'));
      reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
