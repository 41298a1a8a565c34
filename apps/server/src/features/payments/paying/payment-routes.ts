import type { FastifyInstance } from 'fastify';
import { PaymentProviderId } from '@tongtu/contract';
import { AppError } from '@tongtu/contract';
import type { PaymentDeps } from '../payment-deps.ts';
import { receiveNotification } from './receive-notification.ts';

const MAX_NOTIFICATION_BYTES = 64 * 1024;
/** Providers send from few networks, and repeat what was not received. */
const limit = { per: 'network', maxPerMinute: 600 } as const;

/**
 * Where providers send their notifications. It is no call of the contract: a signature over the body's bytes takes the place
 * of a login, and each provider wants its own form of reply.
 */
export function registerPaymentRoutes(app: FastifyInstance, deps: PaymentDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body));
    scope.post<{ Params: { provider: string }; Body: Buffer | undefined }>(
      '/api/payment/notify/:provider',
      { bodyLimit: MAX_NOTIFICATION_BYTES, config: { limit } },
      async (req, reply) => {
        const id = PaymentProviderId.safeParse(req.params.provider).data;
        const provider = id && deps.providers.get(id);
        if (!provider) throw new AppError('request.not-found');
        const { headers, body: rawBody = Buffer.alloc(0) } = req;
        const outcome = await receiveNotification(deps, provider, { headers, rawBody });
        const { status, contentType, body } = provider.notificationReply(outcome);
        return reply.code(status).header('content-type', contentType).header('cache-control', 'no-store').send(body);
      },
    );
  });
}
