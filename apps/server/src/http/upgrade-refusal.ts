import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    takesWebSocket?: boolean;
  }
}

/**
 * Refuses upgrades on paths without a WebSocket with 404. Otherwise the plugin would accept them from any origin and close
 * them again. Call it after the WebSocket plugin and before the routes.
 */
export function useUpgradeRefusal(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.websocket) route.config = { ...route.config, takesWebSocket: true };
  });
  app.addHook('onRequest', async (req) => {
    if (req.ws && !req.routeOptions.config.takesWebSocket) throw new AppError('request.not-found');
  });
}
