import type { ApiScope, Mapping } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { openProgram } from '../../testing/apps/open-program.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from './mapping-routes.ts';
import { mappingDeps } from '../../testing/mapping-deps.ts';

const records = '/api/user/records/';
const target = 'http://192.168.1.10:5000';

async function openHome() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const app = stack.use(await openTestApp(t.db, (on) => registerMappingRoutes(on, { ...mappingDeps, db: t.db })));
  const { userId, deviceId } = await insertHome(t.db);
  const resources = stack.move();
  return {
    deviceId,
    browser: await app.browserOf(userId),
    program: async (...scopes: ApiScope[]) => await openProgram({ db: t.db, app }, userId, scopes),
    [Symbol.asyncDispose]: async () => await resources.disposeAsync(),
  };
}

const accessFields: [what: string, fields: object, named: string[]][] = [
  ['everybody', { policy: 'public' }, ['policy']],
  ['nobody', { policy: 'closed' }, ['policy']],
  ['visitors with a password', { policy: 'password', password: 'sesame' }, ['policy', 'password']],
  ['visitors with another password', { password: 'sesame' }, ['password']],
];

test.each(accessFields)(
  'a token with mappings:write alone cannot let %s in, but with access:write it can',
  async (_what, fields, named) => {
    await using home = await openHome();
    const writer = await home.program('mappings:write');
    const manager = await home.program('mappings:write', 'access:write');
    const made = await home.browser.call('POST', records, { router: home.deviceId, kind: 'http', prefix: 'a', target });
    const { id } = made.body as Mapping;
    const create = { router: home.deviceId, kind: 'http', prefix: 'b', target, ...fields };
    const refused = {
      status: 403,
      body: {
        code: 'session.scope',
        errors: Object.fromEntries(named.map((name) => [name, ['API 令牌还需要 access:write 权限']])),
      },
    };

    expect(await writer.call('POST', records, create)).toMatchObject(refused);
    expect(await writer.call('PATCH', `${records}${id}/`, { remark: 'x', ...fields })).toMatchObject(refused);
    const untouched = { policy: 'owner', has_password: false, remark: '' };
    expect((await home.browser.call('PATCH', `${records}${id}/`, {})).body).toMatchObject(untouched);

    expect(await manager.call('POST', records, create)).toMatchObject({ status: 201 });
    expect(await manager.call('PATCH', `${records}${id}/`, fields)).toMatchObject({ status: 200 });
  },
);

test('fields that do not change the access need mappings:write only', async () => {
  await using home = await openHome();
  const writer = await home.program('mappings:write');
  const body = { router: home.deviceId, kind: 'http', target };

  const bare = await writer.call('POST', records, { ...body, prefix: 'a' });
  const own = await writer.call('POST', records, { ...body, prefix: 'b', policy: 'owner' });
  const changed = await writer.call('PATCH', `${records}${(own.body as Mapping).id}/`, { enabled: false });

  expect(bare).toMatchObject({ status: 201, body: { policy: 'owner' } });
  expect(own).toMatchObject({ status: 201, body: { policy: 'owner' } });
  expect(changed).toMatchObject({ status: 200, body: { enabled: false } });
});

test('access:write alone does not allow to write mappings', async () => {
  await using home = await openHome();
  const manager = await home.program('access:write');

  const reply = await manager.call('POST', records, { router: home.deviceId, kind: 'http', prefix: 'a', target });

  expect(reply).toMatchObject({ status: 403, body: { code: 'session.scope' } });
});

test('a browser needs no scope to change the access', async () => {
  await using home = await openHome();
  const body = { router: home.deviceId, kind: 'http', prefix: 'a', target, policy: 'public' };

  const made = await home.browser.call('POST', records, body);
  const fields = { policy: 'password', password: 'sesame' };
  const changed = await home.browser.call('PATCH', `${records}${(made.body as Mapping).id}/`, fields);

  expect(made).toMatchObject({ status: 201, body: { policy: 'public' } });
  expect(changed).toMatchObject({ status: 200, body: { policy: 'password', has_password: true } });
});

const timesInThePast = { opens_at: '2020-01-01T00:00:00.000Z', closes_at: '2020-01-02T00:00:00.000Z' };
const others: [what: string, before: object][] = [
  ['public', { policy: 'public' }],
  ['closed by its time', { policy: 'public', ...timesInThePast }],
  ['closed by its owner', { policy: 'closed' }],
  ['open to visitors with a password', { policy: 'password', password: 'sesame' }],
];
const targetChanges: object[] = [
  { target: 'http://192.168.1.20:8080' },
  { kind: 'https', target: 'https://192.168.1.10:5000' },
  { enabled: true },
  { enabled: false },
  { closes_at: null },
  { opens_at: null, closes_at: null },
  { hours: null },
  { prefix: 'other' },
  { host_header: 'rewrite' },
  { verify_tls: false },
  { tls_passthrough: false },
  { proxy_protocol: false },
  { policy: 'owner' },
  { policy: 'owner', target: 'http://192.168.1.20:8080', remark: 'x' },
];

test.each(others)(
  'with mappings:write alone only the remark and the pin can be changed of a mapping that is %s',
  async (_what, before) => {
    await using home = await openHome();
    const writer = await home.program('mappings:write');
    const manager = await home.program('mappings:write', 'access:write');
    const body = { router: home.deviceId, kind: 'http', prefix: 'a', target, ...before };
    const made = (await home.browser.call('POST', records, body)).body as Mapping;
    const path = `${records}${made.id}/`;

    for (const fields of targetChanges) {
      const named = Object.keys(fields).filter((name) => name !== 'remark');
      expect(await writer.call('PATCH', path, fields), JSON.stringify(fields)).toMatchObject({
        status: 403,
        body: {
          code: 'session.scope',
          errors: Object.fromEntries(named.map((name) => [name, ['API 令牌还需要 access:write 权限']])),
        },
      });
    }
    expect((await home.browser.call('PATCH', path, {})).body).toEqual(made);
    expect(await writer.call('PATCH', path, {})).toMatchObject({ status: 200 });
    expect(await writer.call('PATCH', path, { remark: '相册', pinned: true })).toMatchObject({
      status: 200,
      body: { remark: '相册', pinned: true },
    });

    const moved = { target: 'http://192.168.1.20:8080', closes_at: null, enabled: true };
    expect(await manager.call('PATCH', path, moved)).toMatchObject({ status: 200, body: moved });
    expect(await home.browser.call('PATCH', path, { target })).toMatchObject({ status: 200, body: { target } });
  },
);

test('with mappings:write alone the target of a mapping with the policy owner can be changed', async () => {
  await using home = await openHome();
  const writer = await home.program('mappings:write');
  const body = { router: home.deviceId, kind: 'http', prefix: 'a', target };
  const { id } = (await home.browser.call('POST', records, body)).body as Mapping;
  const fields = {
    target: 'http://192.168.1.20:8080',
    enabled: false,
    ...timesInThePast,
    remark: 'x',
    policy: 'owner',
  };

  expect(await writer.call('PATCH', `${records}${id}/`, fields)).toMatchObject({ status: 200, body: fields });
});
