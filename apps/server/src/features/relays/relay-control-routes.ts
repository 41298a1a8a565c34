import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashSecret } from '../../hash-secret.ts';
import type { RelayHub } from './relay-hub.ts';

/** Where relays dial in. The public port answers 404 for `/internal/`; the secret guards it on this machine. */
export function registerRelayControl(app: FastifyInstance, deps: { hub: RelayHub; relaySecret: string }): void {
  const expected = hashSecret(`Bearer ${deps.relaySecret}`);
  app.get(
    '/internal/relay-control/',
    {
      websocket: true,
      onRequest: async (req: FastifyRequest) => {
        // Digests have one length, so that the comparison takes the same time whatever was sent.
        const given = hashSecret(req.headers.authorization ?? '');
        if (!timingSafeEqual(given, expected)) throw new AppError('session.required');
      },
    },
    (socket) => deps.hub.accept(socket),
  );
}
