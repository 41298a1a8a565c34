import { once } from 'node:events';
import { type IncomingMessage, METHODS, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { endpoints } from '@tongtu/contract';
import type { HTTPMethods } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDb } from './db/open-test-db.ts';
import { openServerApp } from './testing/apps/open-server-app.ts';

/** Paths for programs that are not calls of the contract. */
const otherPaths = {
  '/agent/install.sh': ['GET'],
  '/api/openapi.json': ['GET'],
  '/custom/enter': ['GET'],
  '/custom/logout': ['GET'],
  '/internal/relay-control/': ['GET'],
};
const methodsOfPaths = new Map(Object.entries(otherPaths));
for (const key of Object.keys(endpoints)) {
  const [method = '', path = ''] = key.split(' ');
  methodsOfPaths.set(path, [...(methodsOfPaths.get(path) ?? []), method]);
}
// CONNECT asks for a tunnel, so it has no path.
const allMethods = METHODS.filter((method) => method !== 'CONNECT') as HTTPMethods[]; // Node's own names
const commonMethods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

test('every other method of a path is refused with 405, and Allow lists the path’s own', async () => {
  await using t = await openTestDb();
  await using server = await openServerApp(t);
  const browser = server.browser();

  for (const [path, own] of methodsOfPaths) {
    const allowed = own.includes('GET') ? [...own, 'HEAD'] : own;
    const url = path.replaceAll(/\{\w+\}/g, '1');
    // One path is tried with every method that Node parses.
    const methods = path === '/api/login_status/' ? allMethods : commonMethods;
    for (const method of methods.filter((name) => !allowed.includes(name))) {
      const { status, headers } = await browser.call(method, method === 'PUT' ? url.replace(/\/$/, '') : url, 'x', {
        'content-type': 'text/plain',
      });
      const answer = { status, type: headers['content-type'], allow: headers['allow'] };
      const expected = {
        status: 405,
        type: 'application/problem+json; charset=utf-8',
        allow: allowed.toSorted().join(', '),
      };
      expect(answer, `${method} ${url}`).toEqual(expected);
    }
  }
});

test('TRACE over a connection is refused like any other method', async () => {
  await using t = await openTestDb();
  await using server = await openServerApp(t);
  const path = '/api/user/verifications/deleted/';

  const trace = request({ host: '127.0.0.1', port: server.port, path, method: 'TRACE', agent: false }).end();
  const [reply] = (await once(trace, 'response')) as [IncomingMessage];

  expect(reply).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD' } });
  expect(await json(reply)).toMatchObject({ status: 405, code: 'request.method-not-allowed' });
});

test('HEAD is refused at event streams', async () => {
  await using t = await openTestDb();
  await using server = await openServerApp(t);

  expect(await server.browser().call('TRACE', '/api/user/events/')).toMatchObject({
    status: 405,
    headers: { allow: 'GET' },
  });
  expect(await server.browser().call('HEAD', '/api/user/events/')).toMatchObject({ status: 405 });
});

test('a static path wins over one with a parameter, in any spelling that the router accepts', async () => {
  await using t = await openTestDb();
  await using server = await openServerApp(t);

  for (const url of [
    '/api/user/passkeys/options/',
    '/api/user/passkeys/%6Fptions?x=1',
    '/api/user/passkeys/options/?',
  ]) {
    expect(await server.browser().call('PATCH', url, {}), url).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    });
    expect(await server.browser().call('GET', url), url).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  }
  expect(await server.browser().call('GET', '/api/user/passkeys/option/')).toMatchObject({
    status: 405,
    headers: { allow: 'DELETE, PATCH' },
  });
});

test('a path that the router cannot parse is refused with problem details', async () => {
  await using t = await openTestDb();
  await using server = await openServerApp(t);

  expect(await server.browser().call('DELETE', '/api/user/records/%zz/')).toMatchObject({
    status: 400,
    body: { code: 'request.malformed' },
  });
  expect(await server.browser().call('DELETE', `/api/user/records/${'1'.repeat(300)}/`)).toMatchObject({
    status: 404,
    body: { code: 'request.not-found' },
  });
});
