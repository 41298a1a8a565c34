import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const PAGE = 'index.html';
const COMPRESSED = /\.(br|gz)$/;

/**
 * Serves the built console. Its router lives in the URL fragment, so `/` is the only page. The build has compressed each
 * file at the highest level; a client that accepts neither encoding gets the file itself.
 */
export async function serveConsole(app: FastifyInstance, webRoot: string): Promise<void> {
  const scriptSources = inlineScriptSources(await readFile(path.join(webRoot, PAGE), 'utf8'));
  const common = { preCompressed: true, cacheControl: false };
  await app.register(fastifyStatic, {
    ...common,
    root: webRoot,
    wildcard: false, // only existing files get a route; all other paths answer 404
    globIgnore: ['**/*.{br,gz}', 'assets/**'],
    setHeaders: (reply, file) => {
      reply.header('cache-control', 'no-cache');
      if (path.basename(file).startsWith(PAGE)) allowScripts(reply, scriptSources);
    },
  });
  // One route for all of them: one for each of some 200 files took a sixth of the processor time of a start.
  await app.register(async (assets) => {
    assets.addHook<{ Params: { '*': string } }>('onRequest', async ({ params }, reply) => {
      if (COMPRESSED.test(params['*'])) return reply.callNotFound();
    });
    await assets.register(fastifyStatic, {
      ...common,
      root: path.join(webRoot, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      // Vite puts a content hash into the names of files in assets/.
      setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    });
  });
}

/** The hashes by which the policy allows the scripts that stand in the page itself (CSP 3). */
function inlineScriptSources(page: string): string[] {
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => {
    const hash = createHash('sha256')
      .update(script ?? '')
      .digest('base64');
    return `'sha256-${hash}'`;
  });
}

function allowScripts(reply: FastifyReply, sources: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  // The desktop of Windows apps is drawn by WebAssembly.
  const all = [...sources, "'wasm-unsafe-eval'"].map((source) => `${source} `).join('');
  const allowed = policy.replace(/script-src /, `script-src ${all}`);
  reply.header('content-security-policy', allowed);
}
