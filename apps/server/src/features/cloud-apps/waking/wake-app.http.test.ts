import type { CloudAppWake, HostState, ProbeResult } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { TestBrowser } from '../../../testing/apps/open-test-app.ts';
import { insertPresence, insertRelay, insertUser } from '../../../testing/device-fixtures.ts';
import { appsPath, bodyOf, type CloudApps, openCloudApps } from '../testing/open-cloud-apps.ts';

const mac = 'd8:bb:c1:0a:2f:e4';
const pc = { kind: 'wol', name: '书房的电脑', host: '192.168.1.20', options: { mac } };

/** The device is online, at a relay of this process. */
async function openHome() {
  const home = await openCloudApps();
  await insertRelay(home.db, { serverId: home.serverId });
  await insertPresence(home.db, { deviceId: home.deviceId });
  return home;
}

const wake = async (browser: TestBrowser, id: number) => await browser.call('POST', `${appsPath}${id}/wake/`);
const wakesOf = async (browser: TestBrowser, id: number) =>
  bodyOf<CloudAppWake[]>(await browser.call('GET', `${appsPath}${id}/wakes/`));
const stateOf = async (browser: TestBrowser, id: number) => await browser.call('GET', `${appsPath}${id}/state/`);

test('an app keeps the MAC address in one spelling, whatever its kind, and wol needs one', async () => {
  await using home = await openHome();
  expect(await home.create({ options: { mac: 'D8-BB-C1-0A-2F-E4' } })).toMatchObject({ options: { mac } });
  expect(await home.create({ ...pc, options: { mac: 'd8bb.c10a.2fe4' } })).toMatchObject({
    port: 445,
    options: { mac },
  });

  const create = { router: home.deviceId, ...pc };
  for (const [wrong, message] of [
    [{}, '请输入 MAC 地址'],
    [{ mac: '' }, '请输入 MAC 地址'],
    [{ mac: '00:00:00:00:00:00' }, /^请输入网卡的 MAC 地址/],
    [{ mac: '01:00:5e:00:00:fb' }, /^请输入网卡的 MAC 地址/],
    [{ mac: 'nas.local' }, /^请输入网卡的 MAC 地址/],
  ] as const) {
    const reply = await home.owner.call('POST', appsPath, { ...create, options: wrong });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ errors: { 'options.mac': [expect.stringMatching(message)] } });
  }
  const app = await home.create(pc);
  const emptied = await home.owner.call('PATCH', `${appsPath}${app.id}/`, { options: { mac: '' } });
  expect(emptied.body).toMatchObject({ errors: { 'options.mac': ['请输入 MAC 地址'] } });
});

test('a changed MAC address ends no session, and a wol app has none', async () => {
  await using home = await openHome();
  const versionOf = async (id: number) =>
    await home.db.selectFrom('cloudApp').where('id', '=', id).select('version').executeTakeFirstOrThrow();
  const { id } = await home.create();
  const before = await versionOf(id);
  bodyOf(await home.owner.call('PATCH', `${appsPath}${id}/`, { options: { mac } }));
  expect(await versionOf(id)).toEqual(before);
  bodyOf(await home.owner.call('PATCH', `${appsPath}${id}/`, { options: { username: 'root' } }));
  expect(await versionOf(id)).not.toEqual(before);

  const computer = await home.create(pc);
  const reply = await home.owner.call('POST', `${appsPath}${computer.id}/sessions/`);
  expect([reply.status, reply.body]).toMatchObject([409, { code: 'cloud-app.no-sessions' }]);
});

test('owner and member wake the host by its device, and the owner sees who did, when and from where', async () => {
  await using home = await openHome();
  const { id } = await home.create(pc);
  await home.addMember(id);

  const own = bodyOf<CloudAppWake>(await wake(home.owner, id));
  const theirs = bodyOf<CloudAppWake>(await wake(home.friend, id));

  expect(home.devices.woken).toEqual([
    { relayIds: ['r1'], deviceId: home.deviceId, mac },
    { relayIds: ['r1'], deviceId: home.deviceId, mac },
  ]);
  expect(own).toMatchObject({ is_own: true, ip: '127.0.0.1', result: 'sent' });
  expect(await wakesOf(home.owner, id)).toEqual([{ ...theirs, is_own: false }, own]);
  expect(theirs.account).toBe('wang');
  expect(await wakesOf(home.friend, id)).toEqual([theirs]);
});

test('who is neither owner nor member does not find the host, and a removed member no longer does', async () => {
  await using home = await openHome();
  const { id } = await home.create(pc);
  const outsider = await home.app.browserOf(await insertUser(home.db, 'zhao'));
  const member = await home.addMember(id);
  bodyOf(await home.owner.call('DELETE', `${appsPath}${id}/members/${member}/`));
  for (const browser of [outsider, home.friend]) {
    for (const call of [wake(browser, id), stateOf(browser, id), browser.call('GET', `${appsPath}${id}/wakes/`)])
      expect(await call).toMatchObject({ status: 404, body: { code: 'cloud-app.not-found' } });
  }
  expect((await wake(home.app.browser(), id)).status).toBe(401);
  expect(home.devices.woken).toEqual([]);
});

test.each<[string, (home: CloudApps, id: number) => Promise<unknown>, number, string]>([
  [
    'no MAC address',
    async ({ owner }, id) => await owner.call('PATCH', `${appsPath}${id}/`, { options: { mac: '' } }),
    409,
    'cloud-app.mac-missing',
  ],
  [
    'a disabled app',
    async ({ owner }, id) => await owner.call('PATCH', `${appsPath}${id}/`, { enabled: false }),
    409,
    'cloud-app.disabled',
  ],
  [
    'a second factor that the account does not have',
    async ({ owner }, id) => await owner.call('PATCH', `${appsPath}${id}/`, { needs_second_factor: true }),
    403,
    'cloud-app.second-factor-missing',
  ],
  [
    'a device without a relay',
    async ({ db }) => await db.deleteFrom('devicePresence').execute(),
    409,
    'cloud-app.device-offline',
  ],
  ['a relay at another process', async ({ devices }) => (devices.isConnected = false), 503, 'server.unavailable'],
])('a host with %s is not woken', async (_what, change, status, code) => {
  await using home = await openHome();
  const { id } = await home.create({ options: { mac } });
  await change(home, id);
  expect(await wake(home.owner, id)).toMatchObject({ status, body: { code } });
  expect(home.devices.woken).toEqual([]);
});

test('an app that asks for the second factor is woken only after a confirmation', async () => {
  await using home = await openHome();
  const { id } = await home.create({ ...pc, needs_second_factor: true });
  const secretSealed = Buffer.alloc(8);
  await home.db.insertInto('totp').values({ userId: home.userId, secretSealed, confirmedAt: new Date() }).execute();
  const confirm = async (confirmedUntil: Date | null) =>
    await home.db.updateTable('session').set({ confirmedUntil }).where('userId', '=', home.userId).execute();

  await confirm(null);
  expect(await wake(home.owner, id)).toMatchObject({ status: 403, body: { code: 'session.confirm-required' } });
  await confirm(new Date(Date.now() + 60_000));
  bodyOf(await wake(home.owner, id));
  expect(home.devices.woken).toHaveLength(1);
});

test.each<[string, ProbeResult, string, string]>([
  ['offline', { ok: false, step: 'agent', ms: 0, seen: 'offline' }, 'cloud-app.device-offline', 'device-offline'],
  ['too old', { ok: false, step: 'agent', ms: 0, seen: 'outdated' }, 'cloud-app.agent-outdated', 'agent-outdated'],
  ['in no network', { ok: false, step: 'udp', ms: 0, seen: 'no_network' }, 'cloud-app.wake-failed', 'failed'],
  ['asked too often', { ok: false, step: 'udp', ms: 0, seen: 'busy' }, 'cloud-app.wake-failed', 'failed'],
])('a device that is %s is named as the reason, and the try is recorded', async (_what, answer, code, result) => {
  await using home = await openHome();
  const { id } = await home.create(pc);
  home.devices.wakeResult = answer;
  expect(await wake(home.owner, id)).toMatchObject({ body: { code } });
  expect(await wakesOf(home.owner, id)).toMatchObject([{ result }]);
});

test('one account wakes hosts only so often', async () => {
  await using home = await openHome();
  const { id } = await home.create(pc);
  const codes = [];
  for (let i = 0; i < 13; i++) codes.push((await wake(home.owner, id)).status);
  expect(codes).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  expect(home.devices.woken).toHaveLength(12);
});

test.each<[string, Partial<ProbeResult>, Partial<HostState>]>([
  ['accepts', { ok: true, seen: 'connected' }, { state: 'on', is_ready: true }],
  ['refuses', { ok: false, seen: 'refused' }, { state: 'on', is_ready: false }],
  ['does not answer', { ok: false, seen: 'timeout' }, { state: 'off', is_ready: false }],
  ['cannot be reached', { ok: false, seen: 'unreachable' }, { state: 'off', is_ready: false }],
  ['has no known name', { ok: false, step: 'dns_lan', seen: 'not_found' }, { state: 'off', is_ready: false }],
])('the state of a target that %s', async (_what, answer, state) => {
  await using home = await openHome();
  const { id } = await home.create(pc);
  home.devices.probeResult = { ok: false, step: 'tcp', ms: 1, seen: '', ...answer };
  expect(bodyOf<HostState>(await stateOf(home.owner, id))).toEqual({ ...state, woken_at: null });
  const { at } = bodyOf<CloudAppWake>(await wake(home.owner, id));
  expect(bodyOf<HostState>(await stateOf(home.owner, id))).toEqual({ ...state, woken_at: at });
});

test.each<[string, Partial<ProbeResult>, string]>([
  ['is offline', { step: 'agent', seen: 'offline' }, 'cloud-app.device-offline'],
  ['is too old', { step: 'agent', seen: 'outdated' }, 'cloud-app.agent-outdated'],
  ['does not answer', { step: 'agent', seen: 'timeout' }, 'cloud-app.state-unknown'],
  ['may not dial the target', { step: 'dns_lan', seen: 'not_allowed' }, 'cloud-app.state-unknown'],
])('a device that %s says nothing about the host', async (_what, answer, code) => {
  await using home = await openHome();
  const { id } = await home.create(pc);
  home.devices.probeResult = { ok: false, step: 'tcp', ms: 1, seen: '', ...answer };
  expect(await stateOf(home.owner, id)).toMatchObject({ body: { code } });
});
