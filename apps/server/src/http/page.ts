import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const HASHED = /\/assets\//;

/** Serves the built console. Its router lives in the URL fragment, so `/` is the only page. */
export async function servePage(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false, // only files that are there get a route; everything else is a 404
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // Vite names what lies in assets/ by its content.
      const isForever = HASHED.test(file.replaceAll('\\', '/'));
      reply.header('cache-control', isForever ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
