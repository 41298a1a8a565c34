import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    takesWebSocket?: boolean;
  }
}

/**
 * Answers an upgrade where no WebSocket is served as a path that does not exist; left alone, it would be opened for any
 * origin and closed again. To be called between the WebSocket plugin and the routes.
 */
export function useUpgradeRefusal(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.websocket) route.config = { ...route.config, takesWebSocket: true };
  });
  app.addHook('onRequest', async (req) => {
    if (req.ws && !req.routeOptions.config.takesWebSocket) throw new AppError('request.not-found');
  });
}
