import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashSecret } from '../../hash-secret.ts';
import type { RelayHub } from './relay-hub.ts';

/** The WebSocket to which relays connect. Relays answer `/internal/` with 404; on this machine the secret protects it. */
export function registerRelayControl(app: FastifyInstance, deps: { hub: RelayHub; relaySecret: string }): void {
  const expected = hashSecret(`Bearer ${deps.relaySecret}`);
  app.get(
    '/internal/relay-control/',
    {
      websocket: true,
      onRequest: async (req: FastifyRequest) => {
        // Hashes have equal length, so the comparison takes constant time.
        const given = hashSecret(req.headers.authorization ?? '');
        if (!timingSafeEqual(given, expected)) throw new AppError('session.required');
      },
    },
    (socket) => deps.hub.accept(socket),
  );
}
