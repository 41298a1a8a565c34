import { parseHostField } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';

/** Refuses a Host field from which no URL can be built. The relay refuses it as well. */
export function useHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ host }) => {
    if (host !== '' && !isValidHost(host)) throw new AppError('request.malformed');
  });
}

function isValidHost(host: string): boolean {
  // The URL standard refuses more, for example `1.2.3.999`.
  return parseHostField(host) !== undefined && URL.canParse(`http://${host}`);
}
