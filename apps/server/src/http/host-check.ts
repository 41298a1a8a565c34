import { parseHostField } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';

/** Refuses a Host field that no address can be made of, before any call makes one. The relay refuses it as well. */
export function useHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ host }) => {
    if (host !== '' && !isUsable(host)) throw new AppError('request.malformed');
  });
}

function isUsable(host: string): boolean {
  // The URL standard refuses more: `1.2.3.999`, for one.
  return parseHostField(host) !== undefined && URL.canParse(`http://${host}`);
}
