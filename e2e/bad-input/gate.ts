import { CheckReply, type Mapping } from '@tongtu/contract';
import { endTickets } from '@tongtu/server/testing/installation';
import { beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/clients/api-client.ts';
import { request, type HttpReply } from '../support/clients/http-request.ts';
import { inDatabase } from '../support/product/database.ts';
import type { Product } from '../support/product/product.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Stage } from './stage.ts';

function cookieOf(reply: HttpReply): string | undefined {
  return reply.headers['set-cookie']?.find((cookie) => cookie.startsWith('tongtu_visitor='));
}

export function testGate(stage: () => Stage): void {
  let product: Product;
  let client: ApiClient;
  let first: Mapping;
  let second: Mapping;

  beforeAll(async () => {
    const { device, welcome } = stage();
    ({ product, client } = stage());
    // The welcome page is the LAN service here, because only the access check is tested.
    const gated = { router: device.id, kind: 'http', target: welcome.target } as const;
    first = await client.createMapping({ ...gated, prefix: 'first' });
    second = await client.createMapping({ ...gated, prefix: 'second' });
    await waitFor('the relay knows both', 30_000, async () =>
      (await Promise.all([first, second].map((mapping) => visit(mapping, '/')))).every(({ status }) => status !== 404),
    );
  });

  function visit(mapping: Pick<Mapping, 'domain'>, path: string, cookie?: string): Promise<HttpReply> {
    const host = `${mapping.domain}:${product.ports.http}`;
    const headers = { accept: 'text/html', ...(cookie === undefined ? {} : { cookie }) };
    return request({ port: product.ports.http, host, path, headers });
  }

  /** Path and query of the URL with a new ticket. */
  async function ticketPath(mapping: Mapping, path = '/'): Promise<string> {
    const target = `http://${mapping.domain}:${product.ports.http}${path}`;
    const reply = await client.call('GET', `/custom/check/?url=${encodeURIComponent(target)}`);
    const { redirect } = CheckReply.parse(reply.json);
    const url = new URL(redirect ?? '');
    expect(url.pathname).toBe('/.tongtu/verify');
    return `${url.pathname}${url.search}`;
  }

  async function expectTurnedAway(mapping: Mapping, path: string): Promise<void> {
    const reply = await visit(mapping, path);
    expect(reply.status).toBe(403);
    expect(cookieOf(reply)).toBeUndefined();
    expect(reply.body.toString()).toMatch(/\p{Script=Han}{4}/u);
  }

  test('an anonymous client reaches the gate, not the LAN service', async () => {
    const reply = await visit(first, '/');
    expect(reply.status).toBe(403);
    expect(reply.headers['content-type']).toContain('text/html');
    expect(reply.body.toString()).toContain('/custom/enter?url=');
    expect(reply.body.toString()).toContain(first.domain);
  });

  test('a ticket lets its holder in once, to the page that was wanted', async () => {
    const path = await ticketPath(first, '/x?y=1');
    const reply = await visit(first, path);
    expect([302, 303]).toContain(reply.status);
    expect(reply.headers.location).toMatch(/(^|localhost:\d+)\/x\?y=1$/);
    const cookie = cookieOf(reply) ?? '';
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\//i);

    expect((await visit(first, '/', cookie.split(';')[0])).status).toBe(200);
    await expectTurnedAway(first, path);
  });

  test('of fifty concurrent redemptions of one ticket, one succeeds', async () => {
    const path = await ticketPath(first);
    const replies = await Promise.all(Array.from({ length: 50 }, () => visit(first, path)));
    expect(replies.filter((reply) => cookieOf(reply) !== undefined)).toHaveLength(1);
  });

  test('a ticket for another host lets nobody in', async () => {
    await expectTurnedAway(second, await ticketPath(first));
  });

  test('a cookie of one host opens no other', async () => {
    const cookie = cookieOf(await visit(first, await ticketPath(first)))?.split(';')[0] ?? '';
    expect((await visit(first, '/', cookie)).status).toBe(200);
    expect((await visit(second, '/', cookie)).status).toBe(403);
    expect((await visit(first, '/', `${cookie.slice(0, -4)}AAAA`)).status).toBe(403);
  });

  test('an expired ticket lets nobody in', async () => {
    const path = await ticketPath(first);
    await inDatabase(product, endTickets);
    await expectTurnedAway(first, path);
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(3000), '%00%ff', '..%2f..'])(
    'the ticket "%s" is refused',
    async (ticket) => {
      const reply = await visit(first, `/.tongtu/verify?ticket=${ticket}&next=/`);
      expect([400, 403]).toContain(reply.status);
      expect(cookieOf(reply)).toBeUndefined();
    },
  );

  test.each([
    'https://evil.example/',
    '//evil.example/',
    String.raw`/\evil.example`,
    'javascript:alert(1)',
    '/a\r\nset-cookie: a=b',
  ])('the gate does not redirect to %j', async (next) => {
    const url = new URL(await ticketPath(first), 'http://relay');
    url.searchParams.set('next', next);
    const reply = await visit(first, `${url.pathname}${url.search}`);
    const location = new URL(reply.headers.location ?? '/', `http://${first.domain}:${product.ports.http}/`);
    expect(location.host).toBe(`${first.domain}:${product.ports.http}`);
    expect(location.protocol).toBe('http:');
    expect(reply.headers).not.toHaveProperty('a');
  });

  test.each([
    'https://evil.example/',
    'http://first.localhost.evil.example/',
    'http://evil.example#first.localhost',
    'http://first.localhost@evil.example/',
    String.raw`http://evil.example\first.localhost/`,
    'javascript:alert(1)',
    '//first.localhost/',
    '',
    `http://${'a.'.repeat(1000)}localhost/`,
  ])('a check of the foreign address %j is refused', async (url) => {
    const reply = await client.call('GET', `/custom/check/?url=${encodeURIComponent(url)}`);
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({ code: expect.stringMatching(/^(gate\.url-not-allowed|request\.invalid)$/) });
  });

  test('an anonymous client must log in and gets no ticket', async () => {
    const anonymous = new ApiClient(product);
    const reply = await anonymous.call('GET', `/custom/check/?url=${encodeURIComponent(first.url)}`);
    expect(reply.json).toMatchObject({ logged_in: false, allowed: false, reason: 'login_required' });
    expect(reply.json).not.toHaveProperty('redirect');
  });

  test('a disabled mapping is closed to all visitors, also verified ones', async () => {
    const cookie = cookieOf(await visit(first, await ticketPath(first)))?.split(';')[0] ?? '';
    expect((await visit(first, '/', cookie)).status).toBe(200);
    expect((await client.call('PATCH', `/api/user/records/${first.id}/`, { enabled: false })).status).toBe(200);
    await waitFor('the relay has closed it', 5000, async () =>
      (await visit(first, '/', cookie)).body.toString().includes('该地址已停用'),
    );
  });

  test('after all this the product still works', async () => {
    expect((await visit(second, await ticketPath(second))).status).toBeLessThan(400);
    expect(product.child.output).not.toMatch(/unhandled|uncaught/i);
  });
}
