import type { Lan } from '@tongtu/contract';
import type { DiscoveryReport, SeenHost } from '@tongtu/tunnel';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertHome, insertPresence, insertRelay, insertUser } from '../../testing/device-fixtures.ts';
import { deleteOldLanHosts } from './lan-host-store.ts';
import { registerLanRoutes } from './lan-routes.ts';
import { LanScans } from './lan-scans.ts';

type OnReport = (report: DiscoveryReport) => void;

const nas: SeenHost = {
  ...{ address: '192.168.1.10', mac: '00:11:32:aa:bb:cc', names: ['nas.lan'], mdns: [], ssdp: [] },
  services: [
    { port: 5000, protocol: 'http', title: 'Synology DiskStation' },
    { port: 22, protocol: 'ssh', banner: 'SSH-2.0-OpenSSH_9.2' },
  ],
};
const phone: SeenHost = { ...nas, address: '192.168.1.20', mac: 'da:00:00:00:00:01', names: [], services: [] };

/** A device whose reports the test makes up. */
async function open({ isOnline = true } = {}) {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const home = await insertHome(t.db);
  if (isOnline) {
    await insertRelay(t.db, home);
    await insertPresence(t.db, home);
  }
  const asked: OnReport[] = [];
  const open = () => {
    const log = pino({ level: 'silent' });
    return new LanScans({ db: t.db, log, discover: (_device, onReport) => asked.push(onReport) > 0 });
  };
  const scans = parts.use(open());
  const app = parts.use(await openTestApp(t.db, (server) => registerLanRoutes(server, { db: t.db, scans })));
  const path = `/api/user/routers/${home.deviceId}/lan/`;
  const owner = await app.browserOf(home.userId);
  const read = async () => (await owner.call('GET', path)).body as Lan;
  const untilEnded = async () => {
    await expect.poll(read).toMatchObject({ scan: { ended_at: expect.any(String) } });
    return await read();
  };
  return {
    ...{ db: t.db, home, app, path, owner, read, untilEnded, scans },
    start: async () => {
      const reply = await owner.call('POST', `${path}scan/`);
      return { ...reply, report: asked.at(-1) ?? (() => undefined) };
    },
    scan: async (...hosts: SeenHost[]) => {
      await owner.call('POST', `${path}scan/`);
      const report = asked.at(-1);
      for (const host of hosts) report?.({ type: 'hosts', hosts: [host] });
      report?.({ type: 'end', result: 'done' });
      return await untilEnded();
    },
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  };
}

test('what a scan sees is listed while it runs, with names, kinds and vendors', async () => {
  await using it = await open();
  expect(await it.read()).toEqual({ enabled: true, scan: null, hosts: [] });
  const { status, body, report } = await it.start();
  expect([status, body]).toMatchObject([201, { scan: { ended_at: null, percent: 0, result: null } }]);
  report({ type: 'progress', percent: 30 });
  report({ type: 'hosts', hosts: [nas] });
  await expect.poll(it.read).toMatchObject({ scan: { percent: 30, ended_at: null }, hosts: [{ name: 'nas' }] });
  report({ type: 'end', result: 'done' });
  const lan = await it.untilEnded();
  expect(lan.scan).toMatchObject({ percent: 100, result: 'done' });
  expect(lan.hosts).toMatchObject([
    {
      ...{ address: '192.168.1.10', mac: '00:11:32:aa:bb:cc', vendor: 'Synology', name: 'nas', kind: 'synology' },
      ...{ is_self: false, is_new: false, is_missing: false },
      services: [
        { port: 22, protocol: 'ssh', kind: 'ssh', title: 'SSH-2.0-OpenSSH_9.2', is_new: false },
        { port: 5000, protocol: 'http', kind: 'synology', title: 'Synology DiskStation', is_new: false },
      ],
    },
  ]);
});

test('later scans mark what is new and what is missing, and know a host again at another address', async () => {
  await using it = await open();
  const first = await it.scan(nas);
  const moved = { ...nas, address: '192.168.1.11', services: nas.services.slice(0, 1) };
  const second = await it.scan(moved, phone);
  expect(second.hosts).toMatchObject([
    {
      ...{ id: first.hosts[0]?.id, address: '192.168.1.11', is_new: false, is_missing: false },
      services: [
        { port: 22, is_missing: true },
        { port: 5000, is_missing: false, is_new: false },
      ],
    },
    { address: '192.168.1.20', is_new: true, is_missing: false },
  ]);
  const third = await it.scan(phone);
  expect(third.hosts.map(({ is_new, is_missing }) => [is_new, is_missing])).toEqual([
    [false, true],
    [false, false],
  ]);
});

test('a scan that did not end marks nothing as missing', async () => {
  await using it = await open();
  await it.scan(nas);
  const { report } = await it.start();
  report({ type: 'end', result: 'lost' });
  expect(await it.untilEnded()).toMatchObject({ scan: { result: 'lost' }, hosts: [{ is_missing: false }] });
});

test('one scan runs at a time, whichever server process is asked', async () => {
  await using it = await open();
  const { report } = await it.start();
  expect(await it.start()).toMatchObject({ status: 409, body: { code: 'discovery.running' } });
  report({ type: 'end', result: 'done' });
  await it.untilEnded();
  const both = await Promise.all([it.start(), it.start()]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
});

test('a scan of a server process that has died does not block later ones', async () => {
  await using it = await open();
  await it.start();
  await it.db
    .updateTable('lanScan')
    .set({ startedAt: new Date(Date.now() - 300_000) })
    .execute();
  expect(await it.read()).toMatchObject({ scan: { result: 'lost' } });
  expect((await it.start()).status).toBe(201);
});

test('switched off, nothing is scanned or kept, also of a scan that is running', async () => {
  await using it = await open();
  await it.scan(nas);
  const { report } = await it.start();
  const off = await it.owner.call('PATCH', it.path, { enabled: false });
  expect(off.body).toEqual({ enabled: false, scan: null, hosts: [] });
  report({ type: 'hosts', hosts: [nas] });
  report({ type: 'end', result: 'done' });
  await it.scans[Symbol.asyncDispose]();
  expect(await it.read()).toEqual({ enabled: false, scan: null, hosts: [] });
  expect(await it.start()).toMatchObject({ status: 409, body: { code: 'discovery.off' } });
  const on = await it.owner.call('PATCH', it.path, { enabled: true });
  expect(on.body).toMatchObject({ enabled: true });
});

test('an offline device has no scan, but a result that says so', async () => {
  await using it = await open({ isOnline: false });
  expect(await it.start()).toMatchObject({ status: 201, body: { scan: { result: 'offline' } } });
});

test('for anybody but the owner the device does not exist', async () => {
  await using it = await open();
  await it.scan(nas);
  const other = await it.app.browserOf(await insertUser(it.db, 'other'));
  for (const [method, url, body] of [
    ['GET', it.path, undefined],
    ['PATCH', it.path, { enabled: false }],
    ['POST', `${it.path}scan/`, undefined],
  ] as const) {
    expect(await other.call(method, url, body)).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
    expect(await it.app.browser().call(method, url, body)).toMatchObject({ status: 401 });
  }
  expect((await it.read()).hosts).toHaveLength(1);
});

test('a device that reports ever other hosts fills a bounded part of the database', async () => {
  await using it = await open();
  const { deviceId } = it.home;
  const row = { deviceId, mac: null, vendor: '', name: '', kind: null, isSelf: false };
  const rows = Array.from({ length: 511 }, (_, index) => ({ ...row, address: `10.0.${index >> 8}.${index & 255}` }));
  await it.db.insertInto('lanHost').values(rows).execute();
  expect((await it.scan(nas, phone)).hosts).toHaveLength(512);
});

test('what was not seen for a month is forgotten', async () => {
  await using it = await open();
  await it.scan(nas, phone);
  const old = new Date(Date.now() - 40 * 86_400_000);
  await it.db.updateTable('lanHost').set({ lastSeen: old }).where('address', '=', phone.address).execute();
  await it.db.updateTable('lanService').set({ lastSeen: old }).where('port', '=', 22).execute();
  await deleteOldLanHosts(it.db);
  expect((await it.read()).hosts).toMatchObject([{ address: nas.address, services: [{ port: 5000 }] }]);
});
