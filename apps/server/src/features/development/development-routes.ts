import { parseAddress } from '@tongtu/base';
import type { FastifyInstance } from 'fastify';
import type { DevelopmentCodes } from './development-codes.ts';
import { developmentPage } from './development-page.ts';

/** `/dev/codes`, for browsers on this machine only. Registered only where codes are not sent. */
export function registerDevelopmentRoutes(app: FastifyInstance, codes: DevelopmentCodes): void {
  app.get('/dev/codes', (req, reply) => {
    if (!isLoopback(req.ip)) return reply.callNotFound();
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(developmentPage(codes.list()));
  });
}

function isLoopback(ip: string): boolean {
  return parseAddress(ip)?.range() === 'loopback';
}
