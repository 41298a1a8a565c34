import type { Device } from '@tongtu/contract';
import { beforeAll, expect, test } from 'vitest';
import { ApiClient, type ApiReply } from '../support/clients/api-client.ts';
import { createOtherTenant, type OtherTenant } from '../support/services/other-tenant.ts';
import type { Product } from '../support/product/product.ts';
import type { Stage } from './stage.ts';

const sound = { kind: 'http', prefix: 'sound', target: 'http://192.168.1.10:5000', policy: 'public', remark: '' };

/** Every refusal is a problem document with a Chinese sentence, a code and a request id, and no internal details. */
function expectProblem(reply: ApiReply, status: number, code: string): void {
  expect(reply.headers['content-type']).toContain('application/problem+json');
  expect(reply.json).toMatchObject({
    status,
    code,
    title: expect.any(String),
    request_id: expect.stringMatching(/.+/),
  });
  expect(reply.json).toHaveProperty('detail', expect.stringMatching(/\p{Script=Han}{2}/u));
  expect(reply.status).toBe(status);
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d|select |insert /i);
}

export function testApi(stage: () => Stage): void {
  let product: Product;
  let client: ApiClient;
  let device: Device;
  let otherTenant: OtherTenant;

  beforeAll(async () => {
    ({ product, client, device } = stage());
    otherTenant = await createOtherTenant(product);
  });

  function create(changes: Record<string, unknown>): Promise<ApiReply> {
    return client.call('POST', '/api/user/records/', { router: device.id, ...sound, ...changes });
  }

  test.each([
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a number as text', { router: '1' }, 'router'],
    ['a list as prefix', { prefix: ['a'] }, 'prefix'],
    ['null as target', { target: null }, 'target'],
    ['an unknown policy', { policy: 'everybody' }, 'policy'],
    ['an unknown kind', { kind: 'gopher' }, 'kind'],
    ['an empty prefix', { prefix: '' }, 'prefix'],
    ['a non-ASCII prefix', { prefix: '相册' }, 'prefix'],
    ['an upper-case prefix', { prefix: 'Photos' }, 'prefix'],
    ['a look-alike prefix in punycode', { prefix: 'xn--6qq79v' }, 'prefix'],
    ['a prefix with a dot', { prefix: 'a.b' }, 'prefix'],
    ['a prefix that starts with a hyphen', { prefix: '-a' }, 'prefix'],
    ['a prefix of 64 characters', { prefix: 'a'.repeat(64) }, 'prefix'],
    ['a remark of 101 characters', { remark: '长'.repeat(101) }, 'remark'],
    ['a remark with a control character', { remark: 'a\u0000b' }, 'remark'],
    ['a target with a path', { target: 'http://192.168.1.10/admin' }, 'target'],
    ['a target with a user name', { target: 'http://root@192.168.1.10' }, 'target'],
    ['a target with another protocol', { target: 'file:///etc/passwd' }, 'target'],
    ['a target with port 0', { target: 'http://192.168.1.10:0' }, 'target'],
    ['a target whose address is one number', { target: 'http://134744072' }, 'target'],
    ['a target with port 65536', { target: 'http://192.168.1.10:65536' }, 'target'],
  ])('%s is refused and the field is named', async (_what, changes, field) => {
    const reply = await create(changes);
    expectProblem(reply, 422, 'request.invalid');
    expect(reply.json).toHaveProperty(['errors', field, 0], expect.stringMatching(/\p{Script=Han}/u));
  });

  test.each([
    'http://8.8.8.8',
    'http://example.com',
    'http://0.0.0.0',
    'http://255.255.255.255',
    'http://224.0.0.1',
    'http://[2001:4860:4860::8888]',
    'http://[::ffff:8.8.8.8]',
  ])("the target %s is outside the device's network and refused", async (target) => {
    expectProblem(await create({ target }), 422, 'mapping.target-not-private');
  });

  test.each(['admin', 'www', 'adm1n', 'l0gin'])('the prefix %s is reserved', async (prefix) => {
    expectProblem(await create({ prefix }), 422, 'mapping.prefix-reserved');
  });

  test('a prefix belongs to the first mapping that takes it', async () => {
    expect((await create({ prefix: 'only-one' })).status).toBe(201);
    expectProblem(await create({ prefix: 'only-one' }), 409, 'mapping.prefix-taken');
    expectProblem(await create({ prefix: otherTenant.prefix }), 409, 'mapping.prefix-taken');
  });

  test('of twenty concurrent calls for one prefix, one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create({ prefix: 'raced' })));
    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('objects of another tenant are reported as not found', async () => {
    const { deviceId, mappingId } = otherTenant;
    const others: [string, string, unknown, string][] = [
      ['PATCH', `/api/user/routers/${deviceId}/`, { name: '我的' }, 'device.not-found'],
      ['DELETE', `/api/user/routers/${deviceId}/`, undefined, 'device.not-found'],
      ['POST', `/api/user/routers/${deviceId}/check_domain_connection/`, { record: mappingId }, 'device.not-found'],
      ['POST', `/api/user/routers/${device.id}/check_domain_connection/`, { record: mappingId }, 'mapping.not-found'],
      ['PATCH', `/api/user/records/${mappingId}/`, { remark: '我的' }, 'mapping.not-found'],
      ['DELETE', `/api/user/records/${mappingId}/`, undefined, 'mapping.not-found'],
      ['POST', '/api/user/records/', { ...sound, prefix: 'theirs', router: deviceId }, 'device.not-found'],
    ];
    for (const [method, path, body, code] of others) expectProblem(await client.call(method, path, body), 404, code);

    const theirs = new ApiClient(product);
    await theirs.openSession(otherTenant.account);
    const [untouched] = await theirs.devices();
    expect(untouched).toMatchObject({ id: deviceId, name: '邻居的设备', mappings: [{ id: mappingId, remark: '' }] });
  });

  test('the profile of another user cannot be changed', async () => {
    const [me] = (await client.call('GET', '/api/profile/')).json as [{ id: number }]; // parsed by ApiClient.logIn before
    const reply = await client.call('PATCH', `/api/profile/${me.id + 1}/`, { username: 'mine' });
    expectProblem(reply, 404, 'user.not-found');
  });

  test.each(['0', '-1', 'abc', '1.5', '99999999999', '0x1', '1e0', '%00', '1%20or%201=1'])(
    "the id %s is nobody's",
    async (id) => {
      const reply = await client.call('DELETE', `/api/user/records/${id}/`);
      expectProblem(reply, 404, 'mapping.not-found');
    },
  );

  test('changes without the CSRF header, or with a wrong one, do nothing', async () => {
    const body = { router: device.id, ...sound, prefix: 'forged' };
    for (const token of [undefined, 'wrong', '']) {
      expectProblem(
        await client.call('POST', '/api/user/records/', body, { 'x-csrftoken': token }),
        403,
        'session.csrf',
      );
    }
    expect((await client.devices()).flatMap(({ mappings }) => mappings)).not.toContainEqual(
      expect.objectContaining({ prefix: 'forged' }),
    );
  });

  test('a raw call from another site is refused', async () => {
    const url = encodeURIComponent(`http://welcome.localhost:${product.ports.http}/`);
    const reply = await client.call('GET', `/custom/check/?url=${url}`, undefined, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expectProblem(reply, 403, 'request.cross-site');
  });

  test('without a session no data of an account is returned', async () => {
    const anonymous = new ApiClient(product);
    expect((await anonymous.call('GET', '/api/profile/')).json).toEqual([]);
    for (const path of ['/api/user/routers/', '/api/user/servers/', '/api/user/token-sign/']) {
      expectProblem(await anonymous.call('GET', path), 401, 'session.required');
    }
  });

  test('a wrong password and an unknown account get the same answer', async () => {
    const anonymous = new ApiClient(product);
    await anonymous.call('GET', '/api/profile/');
    const tries = [
      { account: 'admin', password: 'wrong-password' },
      { account: 'nobody-here', password: 'wrong-password' },
    ];
    for (const body of tries) expectProblem(await anonymous.call('POST', '/custom/login/', body), 401, 'login.failed');
  });

  test('bodies that are not the JSON asked for are refused', async () => {
    const path = '/api/user/records/';
    expectProblem(await client.call('POST', path, '{"router":'), 400, 'request.malformed');
    expectProblem(await client.call('POST', path, '{"__proto__":{"policy":"public"}}'), 400, 'request.malformed');
    expectProblem(await client.call('POST', path, '[]'), 422, 'request.invalid');
    expectProblem(
      await client.call('POST', path, 'a=b', { 'content-type': 'text/plain' }),
      415,
      'request.unsupported-type',
    );
    expectProblem(await client.call('POST', path, `"${'x'.repeat(5 << 20)}"`), 413, 'request.too-large');
    expectProblem(await client.call('GET', '/api/no-such-call/'), 404, 'request.not-found');
  });

  test('after all this the product still works', async () => {
    expect((await create({ prefix: 'afterwards' })).status).toBe(201);
    expect(product.child.output).not.toMatch(/unhandled|uncaught/i);
  });
}
