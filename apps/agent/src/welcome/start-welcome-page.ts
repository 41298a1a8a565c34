import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { welcomeHtml } from './welcome-html.ts';

export type WelcomePage = AsyncDisposable & { port: number };

const REQUEST_TIMEOUT_MS = 10_000;

/** Serves the welcome page on 127.0.0.1; on any free port when the preferred one is taken. */
export async function startWelcomePage(options: { preferredPort?: number } = {}): Promise<WelcomePage> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answer);
  await listen(server, options.preferredPort ?? 0).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    await listen(server, 0);
  });
  return {
    port: (server.address() as AddressInfo).port, // a TCP server's address is never a path
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const isPage = new URL(request.url ?? '/', 'http://page').pathname === '/';
  if (!isPage) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('没有这个页面\n');
    return;
  }
  const body = Buffer.from(
    welcomeHtml({
      deviceHost: hostname(),
      address: request.headers['x-forwarded-host']?.toString() ?? request.headers.host ?? '',
      visitorAddress: firstAddress(request.headers['x-forwarded-for']),
      deviceTime: new Date(),
    }),
  );
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function firstAddress(header: string | string[] | undefined): string | undefined {
  const first = header?.toString().split(',', 1)[0]?.trim();
  return first === '' ? undefined : first;
}
