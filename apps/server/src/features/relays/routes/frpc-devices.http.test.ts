import type { FrpcConfiguration } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertAccount } from '../../../testing/apps/open-account-app.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { insertHome } from '../../../testing/device-fixtures.ts';
import { readRoutes } from './route-store.ts';
import { type FrpcAddress, registerFrpcDeviceRoutes } from '../../frpc-devices/index.ts';

const sealingKey = Buffer.alloc(32, 2);
const create = '/api/user/frpc_devices/';
const checked: FrpcAddress = { host: 'frp.example.com', port: 443, isCertificateChecked: true };

async function openHome(address: FrpcAddress | 'none' = checked) {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const home = await insertHome(t.db);
  const { suffix: baseDomain } = await t.db.selectFrom('server').select('suffix').executeTakeFirstOrThrow();
  const deps = { db: t.db, sealingKey, baseDomain, addressFor: async () => (address === 'none' ? undefined : address) };
  const app = stack.use(await openTestApp(t.db, (routes) => registerFrpcDeviceRoutes(routes, deps)));
  const browser = await app.browserOf(home.userId);
  const add = async (name = '路由器') => (await browser.call('POST', create, { name })).body as FrpcConfiguration;
  const routesOf = async (id: number) => (await readRoutes(t.db, [id], { defaultBandwidthBps: null, sealingKey }))[0];
  const opened = stack.move();
  return { db: t.db, app, browser, home, add, routesOf, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test('a new frpc device has a secret that relays know and the database does not', async () => {
  await using home = await openHome();
  const added = await home.add();
  const routes = await home.routesOf(added.device_id);
  const { frpcToken: token = '', uid } = routes ?? { uid: '' };
  expect(token).toMatch(/^tf_[\w-]{43}$/);
  expect(routes).not.toHaveProperty('publicKey');
  const row = await home.db
    .selectFrom('device')
    .where('id', '=', added.device_id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(row.name).toBe('路由器');
  expect(row.frpcTokenSealed?.includes(token)).toBe(false);
  for (const text of [added.toml, added.ini, added.uci]) {
    for (const part of [token, uid, 'frp.example.com', '443', 'http_proxy', '/etc/ssl/certs/ca-certificates.crt'])
      expect(text).toContain(part);
  }
});

test('the three texts are those that frpc and OpenWrt read', async () => {
  await using home = await openHome({ host: '192.168.1.2', port: 7200, isCertificateChecked: false });
  const { toml, ini, uci, device_id: id } = await home.add();
  const { uid, frpcToken } = (await home.routesOf(id)) ?? {};
  expect(toml).toBe(`serverAddr = "192.168.1.2"
serverPort = 7200
user = "${uid}"
auth.token = "${frpcToken}"
loginFailExit = false

[[proxies]]
name = "lan"
type = "tcp"
plugin.type = "http_proxy"

[[proxies]]
name = "wake"
type = "udp"
localIP = "255.255.255.255"
localPort = 9
`);
  expect(ini).toMatch(
    /^\[common\]\nserver_addr = 192\.168\.1\.2\n[\s\S]*login_fail_exit = false\n[\s\S]*\n\n\[lan\]\ntype = tcp\n/,
  );
  expect(uci).toMatch(/^config init\n\toption stdout '1'\n[\s\S]*config conf 'lan'\n\toption type 'tcp'\n/);
  expect(toml + ini + uci).not.toMatch(/ca-certificates|trusted/i);
  // Before 0.50 frpc has no TLS otherwise. TOML is read strictly, from 0.52 on.
  expect(ini).toContain('\ntls_enable = true\ndisable_custom_tls_first_byte = true\n');
  expect(uci).toContain("\n\toption tls_enable 'true'\n\toption disable_custom_tls_first_byte 'true'\n");
  expect(toml).not.toMatch(/tls/i);
});

test('the configuration is shown again, and a new secret replaces the old one', async () => {
  await using home = await openHome();
  const added = await home.add();
  const path = `/api/user/routers/${added.device_id}`;
  expect(await home.browser.call('POST', `${path}/frpc_configuration/`)).toMatchObject({ status: 200, body: added });
  const rotated = (await home.browser.call('POST', `${path}/frpc_secret/`)).body as FrpcConfiguration;
  expect(rotated.toml).not.toBe(added.toml);
  const token = (await home.routesOf(added.device_id))?.frpcToken ?? '';
  expect(rotated.toml).toContain(token);
  expect(added.toml).not.toContain(token);
});

test('neither is without a confirmed identity, for another account, or for a device of our agent', async () => {
  await using home = await openHome();
  const added = await home.add();
  const other = await home.app.browserOf(await insertAccount(home.db, { username: 'wang' }));
  for (const call of ['frpc_configuration', 'frpc_secret']) {
    const path = `/api/user/routers/${added.device_id}/${call}/`;
    expect(await other.call('POST', path)).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
    expect(await home.app.browser().call('POST', path)).toMatchObject({ status: 401 });
    expect(await home.browser.call('POST', `/api/user/routers/${home.home.deviceId}/${call}/`)).toMatchObject({
      status: 409,
      body: { code: 'device.not-frpc' },
    });
    await home.db
      .updateTable('session')
      .set({ confirmedUntil: new Date(0) })
      .execute();
    expect(await home.browser.call('POST', path)).toMatchObject({ body: { code: 'session.confirm-required' } });
    await home.db
      .updateTable('session')
      .set({ confirmedUntil: new Date(Date.now() + 60_000) })
      .execute();
  }
});

test('twenty devices may wait for their first connection, and a name is needed', async () => {
  await using home = await openHome();
  expect((await home.browser.call('POST', create, { name: ' ' })).status).toBe(422);
  for (let i = 0; i < 19; i++) await home.add();
  const { userId, serverId } = await home.db
    .selectFrom('device')
    .select(['userId', 'serverId'])
    .executeTakeFirstOrThrow();
  const frpcTokenSealed = Buffer.alloc(1);
  await home.db
    .insertInto('device')
    .values({ userId, serverId, uid: 'f'.repeat(12), name: 'x', frpcTokenSealed })
    .execute();
  expect(await home.browser.call('POST', create, { name: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'device.too-many-waiting' },
  });
});

test('an installation that takes no frpc says so, and adds no device', async () => {
  await using home = await openHome('none');
  expect(await home.browser.call('POST', create, { name: 'x' })).toMatchObject({ body: { code: 'device.frpc-off' } });
  expect(await home.db.selectFrom('device').select('id').execute()).toHaveLength(1);
});
