import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openTestDb } from '../db/open-test-db.ts';
import { openTestApp } from '../testing/apps/open-test-app.ts';
import { mount } from './mount.ts';

test.each(['/api/login_status/', '/api/unknown/', '/test/socket?then=none'])(
  'an upgrade to %s, where no WebSocket is served, is refused',
  async (path) => {
    await using t = await openTestDb();
    await using test = await openTestApp(t.db, (app) => {
      mount(app, 'GET /api/login_status/', { login: 'optional' }, async () => ({ logged_in: false, id: 0 }));
      app.get('/socket', { websocket: true }, (socket) => socket.close());
    });
    const { app } = test;

    await expect(app.injectWS(path)).rejects.toThrow('404');
    const socket = await app.injectWS('/socket');
    await once(socket, 'close');
  },
);

test('the server sends no Strict-Transport-Security, also over https', async () => {
  await using t = await openTestDb();
  await using test = await openTestApp(
    t.db,
    (app) => mount(app, 'GET /api/login_status/', { login: 'optional' }, async () => ({ logged_in: false, id: 0 })),
    { isHttps: true },
  );
  const https = { 'x-forwarded-proto': 'https' };
  for (const path of ['/api/login_status/', '/nothing']) {
    const { headers } = await test.browser().call('GET', path, undefined, https);
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['strict-transport-security']).toBeUndefined();
  }
});

test('headers as long as the relay allows are accepted', async () => {
  await using t = await openTestDb();
  await using test = await openTestApp(t.db, (app) => {
    mount(app, 'GET /api/login_status/', { login: 'optional' }, async () => ({ logged_in: false, id: 0 }));
  });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo; // a TCP server has this kind of address
  const headers = { cookie: `a=${'x'.repeat(32 * 1024)}` };
  const call = http.get({ host: '127.0.0.1', port, path: '/api/login_status/', headers, agent: false });
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  reply.resume();
  expect(reply.statusCode).toBe(200);
});

test('TRACE is refused with the methods of the path', async () => {
  await using t = await openTestDb();
  await using test = await openTestApp(t.db, (app) => {
    mount(app, 'GET /api/login_status/', { login: 'optional' }, async () => ({ logged_in: false, id: 0 }));
  });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo; // a TCP server has this kind of address
  const call = http.request({ method: 'TRACE', host: '127.0.0.1', port, path: '/api/login_status/', agent: false });
  const [reply] = (await once(call.end(), 'response')) as [IncomingMessage];
  const { statusCode, headers } = reply;
  expect({ statusCode, allow: headers.allow, type: headers['content-type'] }).toEqual({
    statusCode: 405,
    allow: expect.stringContaining('GET'),
    type: 'application/problem+json; charset=utf-8',
  });
  expect(JSON.parse((await reply.setEncoding('utf8').toArray()).join(''))).toMatchObject({
    code: 'request.method-not-allowed',
  });
});
