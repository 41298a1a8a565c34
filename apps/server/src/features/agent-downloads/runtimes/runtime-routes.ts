import { createReadStream } from 'node:fs';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { RuntimePlatform } from './runtime-packages.ts';
import type { Runtimes, RuntimeState } from './runtimes.ts';

/** Shorter than the time-outs of proxies. The install script asks again. */
const WAIT_MS = 15_000;
/** Each has about 40 MB. */
const MAX_DOWNLOADS = 16;

/**
 * Serves Node.js to devices that have none. The install script asks for the facts by the connection that itself came
 * over, and compares the hash of what it then downloads. Their form is what a shell can read.
 */
export function registerRuntimes(app: FastifyInstance, runtimes: Pick<Runtimes, 'find'>): void {
  let downloads = 0;

  app.get<{ Params: { platform: string } }>('/agent/runtime/:platform', async (req, reply) => {
    const state = await runtimes.find(readPlatform(req.params.platform), WAIT_MS);
    return await reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(describe(state));
  });
  app.get<{ Params: { platform: string } }>('/agent/runtime/:platform/node.gz', async (req, reply) => {
    const state = await runtimes.find(readPlatform(req.params.platform), 0);
    if (state.type !== 'ready') throw new AppError('request.not-found');
    if (downloads >= MAX_DOWNLOADS) throw new AppError('request.too-many');
    downloads++;
    reply.raw.once('close', () => downloads--);
    const { file, bytes, sha256 } = state.runtime;
    return await reply
      .headers({ 'content-length': bytes, etag: `"${sha256}"`, 'cache-control': 'no-cache' })
      .type('application/gzip')
      .send(createReadStream(file));
  });
}

function readPlatform(text: string): RuntimePlatform {
  const parsed = RuntimePlatform.safeParse(text);
  if (!parsed.success) throw new AppError('request.not-found');
  return parsed.data;
}

function describe(state: RuntimeState): string {
  switch (state.type) {
    case 'preparing':
      return 'preparing\n';
    case 'failed':
      return `failed ${state.reason}\n`;
    case 'ready': {
      const { version, sha256, bytes, unpackedBytes } = state.runtime;
      return `ready ${version} ${sha256} ${bytes} ${unpackedBytes}\n`;
    }
  }
}
