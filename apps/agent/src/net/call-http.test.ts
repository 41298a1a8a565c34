import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { selfSigned } from '../testing/self-signed.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { callHttp, readBody } from './call-http.ts';

async function serve(answer: (...args: Parameters<RequestListener>) => unknown): Promise<URL> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/start`);
}

/** A server that leads from /start to /end and answers there what it was asked. */
async function redirect(status: number): Promise<URL> {
  return await serve(async (request, response) => {
    if (request.url === '/start') return response.writeHead(status, { location: '/end' }).end('elsewhere');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.end(`${request.method} ${request.url} ${body}`);
  });
}

const { signal } = new AbortController();

test.each([
  [301, 'GET /end '],
  [302, 'GET /end '],
  [303, 'GET /end '],
  [307, 'POST /end asked'],
  [308, 'POST /end asked'],
])('a %i is followed, with the method and body that HTTP says', async (status, seen) => {
  const { response, url } = await callHttp(await redirect(status), { signal, body: 'asked' });
  expect((await readBody(response, 100)).toString()).toBe(seen);
  expect(url.pathname).toBe('/end');
});

test('a redirect can be the answer', async () => {
  const { response, status } = await callHttp(await redirect(302), { signal, keepsRedirect: true });
  response.destroy();
  expect(status).toBe(302);
});

test.each([
  ['/start', 'redirect count exceeded'],
  ['ftp://127.0.0.1/', 'not-http'],
  ['http://[', 'not-http'],
])('a redirect to %s is refused', async (location, message) => {
  const url = await serve((_request, response) => response.writeHead(302, { location }).end());
  await expect(callHttp(url, { signal })).rejects.toThrow(message);
});

test('a body that is too large is not read to its end', async () => {
  const url = await serve((_request, response) => response.end('x'.repeat(200_000)));
  const { response } = await callHttp(url, { signal });
  await expect(readBody(response, 100_000)).rejects.toThrow('too-large');
  expect(response.destroyed).toBe(true);
});

test.each(['before', 'in'])('an abort %s the answer ends the call', async (moment) => {
  const abort = new AbortController();
  const url = await serve((_request, response) => {
    if (moment === 'in') response.write('begun');
    setTimeout(() => abort.abort(), 20);
  });
  const read = async () => await readBody((await callHttp(url, { signal: abort.signal })).response, 100);
  await expect(read()).rejects.toThrow();
});

test.runIf(process.platform === 'linux')(
  'a certificate that only the machine trusts is accepted, no other',
  async () => {
    await using folder = await makeTemporaryFolder();
    const [trusted, other] = [await selfSigned('localhost'), await selfSigned('other')];
    await writeFile(path.join(folder.path, 'bundle.crt'), `${other.cert}\n${trusted.cert}`);
    vi.stubEnv('SSL_CERT_FILE', path.join(folder.path, 'bundle.crt'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const ask = async (certificate: { cert: string; key: string }) => {
      const server = createTlsServer(certificate, (request, response) => request.pipe(response)).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`);
      return (await readBody((await callHttp(url, { signal, body: 'asked' })).response, 100)).toString();
    };
    expect(await ask(trusted)).toBe('asked');
    await expect(ask(await selfSigned('localhost'))).rejects.toThrow('self-signed certificate');
  },
);
