import { createHash } from 'node:crypto';
import type { AppError, FrpcAccount, FrpcProxy, Mapping } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { insertHome, insertMapping, insertUser } from '../../../testing/device-fixtures.ts';
import { mappingDeps } from '../../../testing/mapping-deps.ts';
import { logInFrpc, registerFrpcDeviceRoutes } from '../../frpc-devices/index.ts';
import { applyFrpcProxy, registerMappingRoutes } from '../../mappings/index.ts';
import { readRoutes } from './route-store.ts';

const sealingKey = Buffer.alloc(32, 2);
const address = { host: 'frp.example.com', port: 443, isCertificateChecked: true };

async function openHouse() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const home = await insertHome(t.db);
  const txt = new Map<string, string[]>();
  const deps = { ...mappingDeps, db: t.db, resolveTxt: async (name: string) => txt.get(name) ?? [] };
  const app = stack.use(
    await openTestApp(t.db, (on) => {
      const devices = { db: t.db, sealingKey, baseDomain: 'localhost', addressFor: async () => address };
      registerFrpcDeviceRoutes(on, devices);
      registerMappingRoutes(on, deps);
    }),
  );
  const browser = await app.browserOf(home.userId);
  const readAccount = async (call = 'POST /api/user/frpc_account/') => {
    const [method = '', path = ''] = call.split(' ');
    const account = (await browser.call(method, path)).body as FrpcAccount;
    return { ...account, token: /auth\.token = "([^"]+)"/.exec(account.toml)?.[1] ?? '' };
  };
  let lastTime = 0;
  const logIn = async (user: string, token: string, hostName = '', timestamp = ++lastTime, isAhead?: true) => {
    const key = createHash('md5').update(`${token}${timestamp}`).digest('hex');
    const login = { user, key, timestamp, wire: 'v1' as const, hostName, serverId: home.serverId, isAhead };
    return (await logInFrpc({ db: t.db, sealingKey }, login)).deviceId;
  };
  const routesOf = async (id: number) => (await readRoutes(t.db, [id], { defaultBandwidthBps: null, sealingKey }))[0];
  const applied = async (deviceId: number, proxy: Partial<FrpcProxy>, keptMappingIds?: number[]) => {
    const whole = { type: 'http' as const, remotePort: 0, domains: [], subdomain: '', hostRewrite: '', name: 'web' };
    const kept = keptMappingIds === undefined ? {} : { keptMappingIds };
    return await applyFrpcProxy(deps, { deviceId, proxy: { ...whole, ...proxy }, ...kept });
  };
  const apply = async (deviceId: number, proxy: Partial<FrpcProxy>) => {
    await applied(deviceId, proxy);
    return (await routesOf(deviceId))?.routes ?? [];
  };
  const opened = stack.move();
  return {
    t,
    txt,
    home,
    app,
    browser,
    readAccount,
    logIn,
    routesOf,
    apply,
    applied,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openDevice() {
  const house = await openHouse();
  const { user, token } = await house.readAccount();
  return { ...house, deviceId: await house.logIn(user, token) };
}

test('a frpc with the account’s token becomes a device, and a name behind the user another one', async () => {
  await using house = await openHouse();
  const { user, token, server_host: host, ini } = await house.readAccount();
  expect(user).toMatch(/^tt-[0-9a-f]{10}$/);
  expect(host).toBe('frp.example.com');
  expect(ini).toContain(`token = ${token}`);
  expect((await house.readAccount()).token).toBe(token);

  const first = await house.logIn(user, token, 'openwrt');
  expect(await house.logIn(user, token)).toBe(first);
  const second = await house.logIn(`${user}.office`, token);
  const devices = await house.t.db.selectFrom('device').select(['id', 'name', 'userId']).orderBy('id').execute();
  expect(devices.slice(1)).toEqual([
    { id: first, name: 'openwrt', userId: house.home.userId },
    { id: second, name: 'office', userId: house.home.userId },
  ]);
  expect(await house.routesOf(first)).toMatchObject({ frpcToken: token, frpcLogin: user, routes: [] });
  const stored = await house.t.db.selectFrom('frpcAccount').select('tokenSealed').executeTakeFirstOrThrow();
  expect(stored.tokenSealed.includes(token)).toBe(false);
});

test('another token, another user and a disabled account make no device', async () => {
  await using house = await openHouse();
  const { user, token } = await house.readAccount();
  await expect(house.logIn(user, 'wrong')).rejects.toMatchObject({ code: 'frpc.token-wrong' });
  for (const other of ['tt-0123456789', 'tt-x', `${user}.`, `${user}.a b`, `x${user}`])
    await expect(house.logIn(other, token)).rejects.toMatchObject({ code: 'frpc.login-unknown' });
  await house.t.db.updateTable('userAccount').set({ disabledAt: new Date() }).execute();
  await expect(house.logIn(user, token)).rejects.toMatchObject({ code: 'frpc.login-unknown' });
  expect(await house.t.db.selectFrom('device').select('id').execute()).toHaveLength(1);
});

test('a login that was recorded makes no device, whatever name stands behind the user', async () => {
  await using house = await openHouse();
  const { user, token } = await house.readAccount();
  await house.logIn(`${user}.a`, token, '', 1_000);
  await house.logIn(`${user}.b`, token, '', 1_000);
  await house.t.db
    .updateTable('frpcLoginSecond')
    .set({ firstAt: new Date(Date.now() - 10_000) })
    .execute();
  for (const name of ['a', 'b', 'c'])
    await expect(house.logIn(`${user}.${name}`, token, '', 1_000)).rejects.toMatchObject({
      code: 'frpc.login-repeated',
    });
  expect(await house.t.db.selectFrom('device').select('id').execute()).toHaveLength(3);
});

test('a login whose time is still to come makes no device, neither now nor then', async () => {
  await using house = await openHouse();
  const { user, token } = await house.readAccount();
  const ahead = Math.floor(Date.now() / 1_000) + 1_000;
  await expect(house.logIn(user, 'wrong', '', ahead, true)).rejects.toMatchObject({ code: 'frpc.token-wrong' });
  expect(await house.t.db.selectFrom('frpcLoginSecond').selectAll().execute()).toEqual([]);
  await expect(house.logIn(user, token, '', ahead, true)).rejects.toMatchObject({ code: 'frpc.clock-ahead' });
  await house.t.db
    .updateTable('frpcLoginSecond')
    .set({ firstAt: new Date(Date.now() - 10_000) })
    .execute();
  await expect(house.logIn(`${user}.evil`, token, '', ahead)).rejects.toMatchObject({ code: 'frpc.login-repeated' });
  expect(await house.t.db.selectFrom('device').select('id').execute()).toHaveLength(1);
});

test('a replaced token counts for the devices that exist, and an account has 100 of them', async () => {
  await using house = await openHouse();
  const { user, token } = await house.readAccount();
  const deviceId = await house.logIn(user, token);
  const { token: newer } = await house.readAccount('POST /api/user/frpc_account/secret/');
  expect(newer).not.toBe(token);
  expect((await house.routesOf(deviceId))?.frpcToken).toBe(newer);
  await expect(house.logIn(`${user}.b`, token)).rejects.toMatchObject({ code: 'frpc.token-wrong' });
  for (let number = 2; number <= 100; number++) await house.logIn(`${user}.n${number}`, newer);
  await expect(house.logIn(`${user}.more`, newer)).rejects.toMatchObject({ code: 'frpc.too-many-devices' });
});

test('the token is shown to the account alone, after its confirmation', async () => {
  await using house = await openHouse();
  const { user } = await house.readAccount();
  const other = await house.app.browserOf(await insertUser(house.t.db, 'wang'));
  const theirs = (await other.call('POST', '/api/user/frpc_account/')).body as FrpcAccount;
  expect(theirs.user).not.toBe(user);
  await house.t.db
    .updateTable('session')
    .set({ confirmedUntil: new Date(0) })
    .execute();
  for (const path of ['/api/user/frpc_account/', '/api/user/frpc_account/secret/'])
    expect(await house.browser.call('POST', path)).toMatchObject({ body: { code: 'session.confirm-required' } });
});

test('each kind of proxy becomes a mapping for the owner alone', async () => {
  await using house = await openDevice();
  const { deviceId, apply } = house;
  await apply(deviceId, { name: 'web', subdomain: 'nas', hostRewrite: 'nas.lan:5000' });
  await apply(deviceId, { name: 'tls', type: 'https', subdomain: 'cloud' });
  await apply(deviceId, { name: 'own', type: 'https', domains: ['Cloud.Example.com', 'below.localhost'] });
  await apply(deviceId, { name: 'ssh', type: 'tcp', remotePort: 20_001 });
  await apply(deviceId, { name: 'dns', type: 'udp', remotePort: 20_001 });
  const routes = await apply(deviceId, { name: 'secret', type: 'stcp' });
  const owner = { policy: 'owner', enabled: true };
  expect(routes).toMatchObject([
    { frpcProxy: 'web', kind: 'http', host: 'nas.localhost', hostHeader: 'rewrite', targetHost: 'nas.lan', ...owner },
    { frpcProxy: 'tls', kind: 'https', host: 'cloud.localhost', tlsPassthrough: false, ...owner },
    { frpcProxy: 'own', kind: 'https', host: 'cloud.example.com', tlsPassthrough: true, isOwnDomain: true, ...owner },
    { frpcProxy: 'own', kind: 'https', host: 'below.localhost', tlsPassthrough: false, ...owner },
    { frpcProxy: 'ssh', kind: 'tcp', port: 20_001, ...owner },
    { frpcProxy: 'dns', kind: 'udp', port: 20_001, ...owner },
    { frpcProxy: 'secret', kind: 'tcp', port: expect.any(Number), ...owner },
  ]);
  // What frpc says at its next login.
  await apply(deviceId, { name: 'secret', type: 'stcp' });
  expect(
    await apply(deviceId, { name: 'own', type: 'https', domains: ['cloud.example.com', 'below.localhost'] }),
  ).toEqual(routes);
});

test('a proxy that changes its address keeps what its owner has set in the console', async () => {
  await using house = await openDevice();
  const { deviceId, apply, browser } = house;
  const [before] = await apply(deviceId, { subdomain: 'old' });
  await browser.call('PATCH', `/api/user/records/${before?.mappingId}/`, { policy: 'public', remark: '相册' });
  expect(await apply(deviceId, { domains: ['new.example.com'] })).toMatchObject([
    { mappingId: before?.mappingId, host: 'new.example.com', policy: 'public' },
  ]);
  const [moved] = await apply(deviceId, { type: 'tcp', remotePort: 20_002 });
  expect(moved).toMatchObject({ kind: 'tcp', port: 20_002, policy: 'owner' });
  expect(moved?.mappingId).not.toBe(before?.mappingId);
});

test('names and ports that others have, or nobody may have, are refused', async () => {
  await using house = await openDevice();
  const { deviceId, apply, home } = house;
  const wang = await insertHome(house.t.db, 'wang');
  await insertMapping(house.t.db, { ...wang, prefix: 'taken' });
  await insertMapping(house.t.db, { ...wang, kind: 'https', customDomain: 'nas.example.com' });
  await insertMapping(house.t.db, { ...wang, kind: 'tcp', port: 20_000 });
  const refusals: [Partial<FrpcProxy>, string][] = [
    [{ subdomain: 'taken' }, 'mapping.prefix-taken'],
    [{ domains: ['taken.localhost'] }, 'mapping.prefix-taken'],
    [{ domains: ['nas.example.com'] }, 'mapping.domain-unproven'],
    [{ domains: ['console.example.net'] }, 'mapping.domain-reserved'],
    [{ domains: ['a.b.localhost'] }, 'mapping.domain-reserved'],
    [{ subdomain: 'panel' }, 'mapping.prefix-reserved'],
    [{ subdomain: '-' }, 'request.invalid'],
    [{ domains: ['*.example.org'] }, 'frpc.wildcard-needs-https'],
    [{ type: 'https', domains: ['*.example.org'] }, 'frpc.wildcard-unproven'],
    [{ type: 'https', domains: ['*.example.net'] }, 'mapping.domain-reserved'],
    [{ type: 'https', domains: ['*.b.localhost'] }, 'mapping.domain-reserved'],
    [{ type: 'https', domains: ['*.com'] }, 'request.invalid'],
    [{ type: 'https', domains: ['a.*.example.org'] }, 'request.invalid'],
    [{}, 'frpc.domain-missing'],
    [{ type: 'tcp', remotePort: 20_000 }, 'mapping.port-taken'],
    [{ type: 'tcp', remotePort: 6_000 }, 'mapping.port-out-of-range'],
    [{ type: 'udp', remotePort: 70_000 }, 'request.invalid'],
  ];
  for (const [proxy, code] of refusals)
    await expect(apply(deviceId, proxy), JSON.stringify(proxy)).rejects.toMatchObject({ code });
  await expect(apply(home.deviceId, { subdomain: 'x' })).rejects.toMatchObject({ code: 'device.not-found' });
  expect((await house.routesOf(deviceId))?.routes).toEqual([]);
});

test('the console shows who manages a mapping, and changes neither its address nor its target', async () => {
  await using house = await openDevice();
  const { deviceId, apply, browser } = house;
  const [route] = await apply(deviceId, { name: 'web', subdomain: 'nas' });
  const path = `/api/user/records/${route?.mappingId}/`;
  expect((await browser.call('PATCH', path, { pinned: true })).body).toMatchObject({
    frpc_proxy: 'web',
    target: 'frpc:web',
  } satisfies Partial<Mapping>);
  const managed = { status: 409, body: { code: 'mapping.managed-by-frpc' } };
  for (const patch of [
    { prefix: 'other' },
    { target: 'http://192.168.1.1' },
    { kind: 'https' },
    { host_header: 'rewrite' },
  ])
    expect(await browser.call('PATCH', path, patch), JSON.stringify(patch)).toMatchObject(managed);
  const allowed = { policy: 'password', password: 'eine Tür', enabled: false, remark: '相册' };
  expect(await browser.call('PATCH', path, allowed)).toMatchObject({ status: 200 });
  const mapping = { router: deviceId, kind: 'http', prefix: 'more', target: 'http://192.168.1.1' };
  expect(await browser.call('POST', '/api/user/records/', mapping)).toMatchObject({
    body: { code: 'device.managed-by-frpc' },
  });
  const file = `/api/user/routers/${deviceId}/mapping_file/`;
  expect((await browser.call('GET', file)).body).toMatchObject({ yaml: expect.stringContaining('count: 0') });
  const empty = JSON.stringify({ version: 1, mappings: [], count: 0 });
  await browser.call('POST', file, { yaml: empty, dry_run: false, delete_others: true });
  expect((await house.routesOf(deviceId))?.routes).toHaveLength(1);
  expect(await browser.call('DELETE', path)).toMatchObject({ status: 200 });
});

test('proxies for HTTP with one domain share its mapping, and one that moves away leaves it to the others', async () => {
  await using house = await openDevice();
  const { deviceId, apply, applied, browser } = house;
  const [first] = await apply(deviceId, { name: 'one', subdomain: 'nas' });
  await browser.call('PATCH', `/api/user/records/${first?.mappingId}/`, { policy: 'public' });
  const two: Partial<FrpcProxy> = { name: 'two', domains: ['nas.localhost', 'two.localhost'], hostRewrite: 'two.lan' };
  const shared = await applied(deviceId, two);
  expect(shared.mappingIds[0]).toBe(first?.mappingId);
  // `two` serves it now.
  const keptMappingIds = shared.mappingIds;
  const one: Partial<FrpcProxy> = { name: 'one', subdomain: 'moved' };
  const moved = await applied(deviceId, one, keptMappingIds);
  expect(moved.mappingIds).not.toContain(first?.mappingId);
  const routes = [
    { mappingId: first?.mappingId, host: 'nas.localhost', policy: 'public', frpcProxy: '', hostHeader: 'keep' },
    { host: 'two.localhost', frpcProxy: 'two' },
    { host: 'moved.localhost', frpcProxy: 'one', policy: 'owner' },
  ];
  expect((await house.routesOf(deviceId))?.routes).toMatchObject(routes);
  // The next login, with the one that has moved as the first.
  expect(await applied(deviceId, one)).toEqual(moved);
  expect(await applied(deviceId, two)).toEqual(shared);
  expect((await house.routesOf(deviceId))?.routes).toMatchObject([
    { ...routes[0], frpcProxy: 'two', hostHeader: 'rewrite' },
    ...routes.slice(1),
  ]);
  // What nobody else serves goes with its domain.
  expect(await apply(deviceId, { ...two, domains: ['two.localhost'] })).toHaveLength(2);
});

test('end-to-end TLS stays for the http proxies when its proxy has left, until an https proxy is back', async () => {
  await using house = await openDevice();
  const { deviceId, apply, applied } = house;
  const domains = ['own.example.com'];
  const tls: Partial<FrpcProxy> = { name: 'tls', type: 'https', domains };
  const [shared] = await apply(deviceId, tls);
  const { mappingIds } = await applied(deviceId, { name: 'web', domains });
  await applied(deviceId, { ...tls, domains: ['new.example.com'] }, mappingIds);
  for (const proxy of [
    { ...tls, domains: ['new.example.com'] },
    { name: 'web', domains },
  ])
    expect((await apply(deviceId, proxy))[0]).toEqual({ ...shared, frpcProxy: '' });
  expect((await apply(deviceId, { ...tls, name: 'other' }))[0]).toEqual({ ...shared, frpcProxy: 'other' });
});

test('of a proxy with several domains, all are made or none', async () => {
  await using house = await openDevice();
  const { deviceId, apply, txt, t } = house;
  const wang = await insertHome(t.db, 'wang');
  for (const customDomain of ['taken.example.com', 'taken.example.org'])
    await insertMapping(t.db, { ...wang, kind: 'https', customDomain });
  const before = await apply(deviceId, { domains: ['first.example.com'] });
  const domains = ['free.example.com', 'taken.example.com', 'taken.example.org'];
  for (const name of ['_tongtu.taken.example.com', '_tongtu.taken.example.org']) {
    await expect(apply(deviceId, { domains })).rejects.toMatchObject({ code: 'mapping.domain-unproven' });
    expect((await house.routesOf(deviceId))?.routes).toEqual(before);
    expect(await prove(txt, apply(deviceId, { domains }))).toBe(name);
  }
  expect((await apply(deviceId, { domains })).map(({ host }) => host)).toEqual(domains);
  const ofWang = t.db.selectFrom('mapping').where('deviceId', '=', wang.deviceId).select('id');
  expect(await ofWang.execute()).toEqual([]);
});

test('an https proxy makes the mapping of its domain its own, and http proxies share it, whichever comes first', async () => {
  await using house = await openDevice();
  const { deviceId, apply, browser } = house;
  const domains = ['own.example.com'];
  const web: Partial<FrpcProxy> = { name: 'web', domains, hostRewrite: 'nas.lan' };
  const tls: Partial<FrpcProxy> = { name: 'tls', type: 'https', domains };
  const [before] = await apply(deviceId, web);
  await browser.call('PATCH', `/api/user/records/${before?.mappingId}/`, { policy: 'public' });
  const [shared, ...more] = await apply(deviceId, tls);
  expect(more).toEqual([]);
  expect(shared).toMatchObject({
    ...{ mappingId: before?.mappingId, frpcProxy: 'tls', policy: 'public' },
    ...{ kind: 'https', tlsPassthrough: true, targetHost: '127.0.0.1', hostHeader: 'keep' },
  });
  // What frpc says at its next login, in an order that it does not choose.
  for (const proxy of [web, tls, web]) expect(await apply(deviceId, proxy)).toEqual([shared]);
  await expect(apply(deviceId, { ...tls, name: 'other' })).rejects.toMatchObject({ code: 'frpc.domain-taken' });
  expect(await apply(deviceId, { ...tls, type: 'http' })).toMatchObject([
    { mappingId: before?.mappingId, frpcProxy: 'tls', kind: 'http', tlsPassthrough: false, policy: 'public' },
  ]);

  const [ours] = await apply(deviceId, { name: 'first', subdomain: 'nas' }).then((routes) => routes.slice(1));
  expect((await apply(deviceId, { name: 'second', type: 'https', subdomain: 'nas' }))[1]).toMatchObject({
    ...{ mappingId: ours?.mappingId, frpcProxy: 'second', kind: 'https', tlsPassthrough: false },
  });
});

test('end-to-end TLS does not begin for a mapping that asks for a password', async () => {
  await using house = await openDevice();
  const { deviceId, apply, browser } = house;
  const [before] = await apply(deviceId, { domains: ['own.example.com'] });
  const path = `/api/user/records/${before?.mappingId}/`;
  await browser.call('PATCH', path, { policy: 'password', password: 'eine Tür' });
  await expect(apply(deviceId, { name: 'tls', type: 'https', domains: ['own.example.com'] })).rejects.toMatchObject({
    code: 'request.invalid',
    fields: { policy: [{ zh: expect.stringContaining('访问密码') }] },
  });
  expect((await house.routesOf(deviceId))?.routes).toMatchObject([{ kind: 'http', frpcProxy: 'web' }]);
});

/** What the refusal wants in DNS is there. */
async function prove(txt: Map<string, string[]>, refused: Promise<unknown>): Promise<string> {
  const { fields } = (await refused.catch((error: unknown) => error)) as AppError;
  const [name = '', value = ''] = (fields?.['custom_domain']?.[1]?.en ?? '').split(' TXT ');
  txt.set(name, [...(txt.get(name) ?? []), value]);
  return name;
}

test('a wildcard domain needs a proof in DNS and an https proxy, which http proxies then join', async () => {
  await using house = await openDevice();
  const { deviceId, apply, txt } = house;
  const domains = ['*.Home.example.com'];
  const tls: Partial<FrpcProxy> = { name: 'tls', type: 'https', domains };
  const web: Partial<FrpcProxy> = { name: 'web', domains };
  await expect(apply(deviceId, web)).rejects.toMatchObject({ code: 'frpc.wildcard-needs-https' });
  expect(await prove(txt, apply(deviceId, tls))).toBe('_tongtu.home.example.com');
  const routes = await apply(deviceId, tls);
  expect(routes).toMatchObject([{ host: '*.home.example.com', kind: 'https', tlsPassthrough: true, policy: 'owner' }]);
  txt.clear();
  for (const proxy of [web, tls]) expect(await apply(deviceId, proxy)).toEqual(routes);
  await expect(apply(deviceId, { ...tls, type: 'http' })).rejects.toMatchObject({ code: 'frpc.wildcard-needs-https' });
  // Below one's own wildcard nothing more is asked.
  for (const domain of ['nas.home.example.com', '*.a.home.example.com'])
    await apply(deviceId, { name: domain, type: 'https', domains: [domain] });
  expect((await house.routesOf(deviceId))?.routes).toHaveLength(3);
});

test('what one user has proven nobody else gets without a proof: neither a wildcard nor a name below it', async () => {
  await using house = await openDevice();
  const { deviceId, apply, txt, t } = house;
  const wang = await insertHome(t.db, 'wang');
  await insertMapping(t.db, { ...wang, kind: 'https', customDomain: 'first.home.example.com' });
  const tls: Partial<FrpcProxy> = { name: 'tls', type: 'https', domains: ['*.home.example.com'] };
  await prove(txt, apply(deviceId, tls));
  await apply(deviceId, tls);
  const holdersOf = async (customDomain: string) =>
    await t.db.selectFrom('mapping').where('customDomain', '=', customDomain).select('deviceId').execute();
  expect(await holdersOf('first.home.example.com')).toEqual([{ deviceId: wang.deviceId }]);

  const browser = await house.app.browserOf(wang.userId);
  const create = async (domain: string) =>
    await browser.call('POST', '/api/user/records/', {
      ...{ router: wang.deviceId, kind: 'https', custom_domain: domain, target: 'https://192.168.1.1' },
    });
  const unproven = { status: 409, body: { code: 'mapping.domain-unproven' } };
  for (const domain of ['nas.home.example.com', 'a.b.home.example.com'])
    expect(await create(domain)).toMatchObject(unproven);
  const mappings = [{ kind: 'https', custom_domain: 'nas.home.example.com', target: 'https://192.168.1.1' }];
  const yaml = JSON.stringify({ version: 1, mappings, count: 1 });
  const asFile = await browser.call('POST', `/api/user/routers/${wang.deviceId}/mapping_file/`, {
    yaml,
    dry_run: false,
  });
  expect(asFile).toMatchObject({
    status: 422,
    body: {
      errors: { yaml: [expect.stringMatching(/其他用户/), expect.stringMatching(/_tongtu\.nas\.home\.\S+ TXT /)] },
    },
  });
  expect(await create('home.example.com')).toMatchObject({ status: 201 });
  // It was there before the wildcard, and so were the names below it.
  expect(await create('a.first.home.example.com')).toMatchObject({ status: 201 });

  // Another account takes the wildcard with a proof of its own; that for the one name is not enough.
  const theirs = (await browser.call('POST', '/api/user/frpc_account/')).body as FrpcAccount;
  const token = /auth\.token = "([^"]+)"/.exec(theirs.toml)?.[1] ?? '';
  const theirDevice = await house.logIn(theirs.user, token);
  txt.set('_tongtu.home.example.com', []);
  await expect(apply(theirDevice, tls)).rejects.toMatchObject({ code: 'frpc.wildcard-unproven' });
  const nas: Partial<FrpcProxy> = { name: 'nas', type: 'https', domains: ['nas.home.example.com'] };
  expect(await prove(txt, apply(theirDevice, nas))).toBe('_tongtu.nas.home.example.com');
  await apply(theirDevice, nas);
  await prove(txt, apply(theirDevice, tls));
  await apply(theirDevice, tls);
  expect(await holdersOf('*.home.example.com')).toEqual([{ deviceId: theirDevice }]);
});
