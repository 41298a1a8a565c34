import { beforeAll, expect, test } from 'vitest';
import { request } from '../support/clients/http-request.ts';
import type { Product } from '../support/product/product.ts';
import { exchangeRaw } from '../support/clients/raw-http.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Stage } from './stage.ts';

function get(hostField: string, extra = ''): string {
  return `GET / HTTP/1.1\r\nHost: ${hostField}\r\nAccept: text/html\r\n${extra}\r\n`;
}

const refused: Record<string, { bytes: (host: string) => string; status: number }> = {
  'no request line': { bytes: () => '\x16\x03\x01\x02\x00garbage\r\n\r\n', status: 400 },
  'a bare line feed': { bytes: (name) => `GET / HTTP/1.1\nHost: ${name}\n\n`, status: 400 },
  'no Host field': { bytes: () => 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n', status: 400 },
  'two Host fields': { bytes: (name) => get(name, `Host: ${name}\r\n`), status: 400 },
  'a port above the last one': {
    bytes: () => 'GET /api/agent/bootstrap/ HTTP/1.1\r\nHost: localhost:99999\r\n\r\n',
    status: 400,
  },
  'the method CONNECT': { bytes: (name) => `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`, status: 405 },
  'a space before a colon': { bytes: (name) => get(name, 'X-A : 1\r\n'), status: 400 },
  'a folded field': { bytes: (name) => get(name, 'X-A: 1\r\n 2\r\n'), status: 400 },
  'a NUL in a field': { bytes: (name) => get(name, 'X-A: 1\0\r\n'), status: 400 },
  'both length and chunked': {
    bytes: (name) => get(name, 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'),
    status: 400,
  },
  'two lengths': { bytes: (name) => get(name, 'Content-Length: 4\r\nContent-Length: 5\r\n'), status: 400 },
  'a negative length': { bytes: (name) => get(name, 'Content-Length: -1\r\n'), status: 400 },
  'an unknown transfer coding': { bytes: (name) => get(name, 'Transfer-Encoding: cow\r\n'), status: 501 },
  'an over-long head': { bytes: (name) => get(name, `X-A: ${'a'.repeat(200_000)}\r\n`), status: 431 },
};

export function testHttp(stage: () => Stage): void {
  let product: Product;
  /** Host field of a public mapping that works. */
  let host: string;

  beforeAll(async () => {
    product = stage().product;
    host = `${stage().welcome.domain}:${product.ports.http}`;
    await waitFor('the welcome page', 30_000, async () => {
      return (await request({ port: product.ports.http, path: '/', host })).status === 200;
    });
  });

  test.each(Object.keys(refused))('a request with %s is refused and its connection closed', async (name) => {
    const { bytes, status } = refused[name] ?? { bytes: () => '', status: 0 };
    const answer = await exchangeRaw(product.ports.http, bytes(host));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    // One answer only: bytes after the error must not be read as another request.
    expect(answer.split('HTTP/1.1 ').length - 1).toBe(1);
  });

  test('TRACE of a call is answered like any other method that it does not know', async () => {
    const lines = `TRACE /api/login_status/ HTTP/1.1\r\nHost: localhost:${product.ports.http}\r\nConnection: close\r\n\r\n`;
    const answer = await exchangeRaw(product.ports.http, lines);
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*\r\nallow: [^\r]*GET/i);
    expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json/i);
    expect(answer).toContain('"code":"request.method-not-allowed"');
  });

  test('30 KB of cookies that another tenant has planted reach the console, and more get a Chinese error', async () => {
    const ask = async (cookieBytes: number) => {
      const headers = { cookie: `a=${'x'.repeat(cookieBytes)}`, accept: 'text/html' };
      return await request({ port: product.ports.http, path: '/api/login_status/', headers });
    };
    expect(JSON.parse((await ask(30_000)).body.toString())).toEqual({ logged_in: false, id: 0 });
    const refusal = await ask(40_000);
    expect(refusal.status).toBe(431);
    expect(refusal.body.toString()).toMatch(/Cookie/);
    expect(refusal.body.toString()).toMatch(/[\u4e00-\u9fff]/);
  });

  test('a client that sends half a request and waits gets 408', async () => {
    const answer = await exchangeRaw(product.ports.http, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('an unknown name gets a Chinese page that reveals no other names', async () => {
    const { ports } = product;
    const reply = await request({
      port: ports.http,
      path: '/',
      host: `no-such-name.localhost:${ports.http}`,
      headers: { accept: 'text/html' },
    });
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toContain('text/html; charset=utf-8');
    expect(reply.body.toString()).toContain('没有这个地址');
  });

  test("a host that is neither ours nor the console's is not served", async () => {
    const reply = await request({ port: product.ports.http, path: '/', host: 'evil.example' });
    expect([404, 421]).toContain(reply.status);
  });

  test('two requests on one connection each go to their own host', async () => {
    const console = `localhost:${product.ports.http}`;
    const answer = await exchangeRaw(
      product.ports.http,
      `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\nGET /api/login_status/ HTTP/1.1\r\nHost: ${console}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(answer).toContain('"logged_in":false');
  });

  test.each([
    '/internal/relay-control/',
    '/internal/',
    '/INTERNAL/relay-control/',
    '/internal%2Frelay-control/',
    '//internal/relay-control/',
  ])('the internal path %s is not reachable from outside', async (path) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const plain = await request({ port: product.ports.http, path });
    expect(plain.headers['content-type']).not.toContain('json');
    const reply = await request({ port: product.ports.http, path, headers });
    expect(reply.status).not.toBe(101);
    expect(reply.body.toString()).not.toContain('snapshot');
  });

  test('after all this visitors are still served', async () => {
    const page = await request({ port: product.ports.http, path: '/', host });
    expect(page.status).toBe(200);
    expect(product.child.output).not.toMatch(/unhandled|uncaught/i);
  });
}
