import type { FastifyReply } from 'fastify';
import { AppError } from '@tongtu/contract';

/** Aborts when the caller has left before its answer. Nobody reads the reason. */
export function callerLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(new AppError('request.too-slow'));
  });
  return left.signal;
}
