import { type ProbeResult, TrialAnswer, type TrialResult } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import {
  insertDevice,
  insertHome,
  insertMapping,
  insertPresence,
  insertRelay,
} from '../../../testing/device-fixtures.ts';
import { noChecks } from '../../../testing/no-checks.ts';
import { checkConnection, type CheckConnectionDeps, type ProbeTarget } from './check-connection.ts';

const working: ProbeResult = { ok: true, step: 'http', ms: 12, seen: 'status_200' };
const place = { publicUrl: 'https://example.com', tlsPort: 443 };
const unseen = { location: null, authenticate: null, server: null };
const page: TrialResult = {
  answers: [TrialAnswer.parse({ ...unseen, target: '/', status: 200, title: 'NAS' })],
  ...{ failure: null, script: 200, socket: 400, greeting: null },
};

/** A device with one mapping, `nas`, and a function that checks it. */
async function insertCheckedMapping(db: Db, deps: Partial<CheckConnectionDeps> = {}) {
  const home = await insertHome(db);
  const mappingId = await insertMapping(db, { ...home, prefix: 'nas' });
  const probed: ProbeTarget[] = [];
  const probe = async (target: ProbeTarget) => {
    probed.push(target);
    return working;
  };
  const all = { ...noChecks, ...place, db, probe, tryVisit: async () => page, monotonicMs: () => 0, ...deps };
  const address = '203.0.113.7';
  const check = async (signal = new AbortController().signal) =>
    await checkConnection(all, { userId: home.userId, deviceId: home.deviceId, mappingId, address, signal });
  return { ...home, mappingId, probed, check };
}

async function putOnline(db: Db, { serverId, deviceId }: { serverId: number; deviceId: number }): Promise<void> {
  await insertRelay(db, { serverId });
  await insertPresence(db, { deviceId });
}

test('a working mapping passes every step, and the device probes it', async () => {
  await using t = await openTestDb();
  const times = [100, 110, 142.4];
  const house = await insertCheckedMapping(t.db, { monotonicMs: () => times.shift() ?? 0 });
  await putOnline(t.db, house);

  expect(await house.check()).toEqual({
    ok: true,
    step: 'visit',
    ms: 42,
    hint: '访客可以打开：HTTP 200，“NAS”',
    warning: null,
    visit: {
      visitor: { url: expect.stringMatching(/^https:\/\/nas\./), text: 'HTTP 200，“NAS”' },
      direct: { url: 'http://192.168.1.10:5000/', text: 'HTTP 200，“NAS”' },
      fix: null,
      advice: null,
    },
  });
  expect(house.probed).toEqual([{ relayIds: ['r1'], deviceId: house.deviceId, mappingId: house.mappingId }]);
});

test('a device that is connected to one of two running relays causes a warning', async () => {
  await using t = await openTestDb();
  const house = await insertCheckedMapping(t.db);
  await putOnline(t.db, house);
  await insertRelay(t.db, { ...house, id: 'r2' });
  expect(await house.check()).toMatchObject({ ok: true, warning: expect.stringContaining('2 个中继中的 1 个') });
  await insertRelay(t.db, { ...house, id: 'r2', silentSeconds: 60 });
  expect(await house.check()).toMatchObject({ ok: true, warning: null });
});

test('a name that DNS does not know fails the first step', async () => {
  await using t = await openTestDb();
  const resolveName = async () => await Promise.reject(new Error('ENOTFOUND'));
  const house = await insertCheckedMapping(t.db, { resolveName });
  await t.db.updateTable('server').set({ suffix: 'example.com' }).execute();

  expect(await house.check()).toMatchObject({
    ok: false,
    step: 'dns',
    hint: '域名 nas.example.com 没有解析到地址，请管理员检查 *.example.com 的 DNS 记录',
  });
  expect(house.probed).toEqual([]);
});

test('the hint for an unknown name says which DNS record to set, and who can set it', async () => {
  await using t = await openTestDb();
  const resolveName = async () => await Promise.reject(new Error('ENOTFOUND'));
  const house = await insertCheckedMapping(t.db, { resolveName });
  await t.db.updateTable('server').set({ suffix: 'example.com' }).execute();

  await t.db.updateTable('mapping').set({ prefix: null, customDomain: 'nas.example.net' }).execute();
  expect(await house.check()).toMatchObject({
    step: 'dns',
    hint: '域名 nas.example.net 没有解析到地址，请在域名的 DNS 中添加一条 CNAME 记录，指向 example.com',
  });
  await t.db.updateTable('mapping').set({ kind: 'tcp', customDomain: null, port: 20_000 }).execute();
  expect(await house.check()).toMatchObject({
    step: 'dns',
    hint: '域名 example.com 没有解析到地址，请管理员检查 example.com 的 DNS 记录',
  });
});

test('each failure before the device has its own step and hint', async () => {
  await using t = await openTestDb();
  const house = await insertCheckedMapping(t.db);

  expect(await house.check()).toMatchObject({
    ok: false,
    step: 'agent',
    hint: expect.stringContaining('还没有连接过'),
  });
  await putOnline(t.db, house);
  await insertRelay(t.db, { ...house, silentSeconds: 60 });
  expect(await house.check()).toMatchObject({ ok: false, step: 'relay', hint: expect.stringContaining('失去联系') });
  await t.db.updateTable('devicePresence').set({ online: false, offlineReason: 'agent_stopped' }).execute();
  expect(await house.check()).toMatchObject({ ok: false, step: 'agent', hint: expect.stringContaining('设备不在线') });
  await t.db.updateTable('device').set({ enabled: false }).execute();
  expect(await house.check()).toMatchObject({ ok: false, step: 'agent', hint: expect.stringContaining('设备已停用') });
  await t.db.updateTable('mapping').set({ enabled: false }).execute();
  expect(await house.check()).toMatchObject({ ok: false, step: 'relay', hint: expect.stringContaining('映射已停用') });
  expect(house.probed).toEqual([]);
});

test('the device’s probe result becomes step and hint', async () => {
  await using t = await openTestDb();
  const refused: ProbeResult = { ok: false, step: 'tcp', ms: 3, seen: 'refused' };
  const house = await insertCheckedMapping(t.db, { probe: async () => refused });
  await putOnline(t.db, house);

  expect(await house.check()).toMatchObject({
    ok: false,
    step: 'tcp',
    hint: '192.168.1.10 拒绝了端口 5000 的连接，请检查服务是否已启动、端口是否正确',
  });
});

test('a UDP mapping whose visitors had too many conversations works, with a warning', async () => {
  await using t = await openTestDb();
  const full: ProbeResult = { ok: true, step: 'udp', ms: 3, seen: 'answered', wasFull: true };
  const house = await insertCheckedMapping(t.db, { probe: async () => full });
  await putOnline(t.db, house);

  expect(await house.check()).toMatchObject({ ok: true, step: 'udp', warning: expect.stringContaining('512') });
});

test.each([
  ['old_protocol', 'TLS 1.0 或 1.1'],
  ['legacy_renegotiation', '安全重协商'],
  ['what_a_newer_agent_knows', '加密已经过时'],
])('a service whose TLS is weak (%s) works, with a warning', async (weakness, words) => {
  await using t = await openTestDb();
  const weak: ProbeResult = { ok: true, step: 'http', ms: 3, seen: 'status_200', weakness };
  const house = await insertCheckedMapping(t.db, { probe: async () => weak });
  await putOnline(t.db, house);
  expect(await house.check()).toMatchObject({ ok: true, warning: expect.stringContaining(words) });
});

test('a relay at another server process makes the check unavailable, not failed', async () => {
  await using t = await openTestDb();
  const house = await insertCheckedMapping(t.db, { probe: async () => undefined });
  await putOnline(t.db, house);

  await expect(house.check()).rejects.toMatchObject({ code: 'server.unavailable' });
  // The second call is not refused as busy, so the claim has been released.
  await expect(house.check()).rejects.toMatchObject({ code: 'server.unavailable' });
});

test('a device has one check at a time', async () => {
  await using t = await openTestDb();
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ProbeResult>();
  const probe = async () => {
    started.resolve();
    return await answer.promise;
  };
  const house = await insertCheckedMapping(t.db, { probe });
  await putOnline(t.db, house);

  const first = house.check();
  await started.promise;
  await expect(house.check()).rejects.toMatchObject({ code: 'device.busy' });
  answer.resolve(working);
  expect(await first).toMatchObject({ ok: true });
  expect(await house.check()).toMatchObject({ ok: true });
});

test('a check whose caller has left ends with the visit that is running, and the device may be checked again', async () => {
  await using t = await openTestDb();
  const leaving = new AbortController();
  let visits = 0;
  const refused: TrialResult = { ...page, answers: [{ ...page.answers[0]!, status: 500 }], script: null };
  const tryVisit = async () => {
    visits++;
    const result = visits === 1 ? refused : page;
    if (visits === 2) leaving.abort();
    return await Promise.resolve(result);
  };
  const house = await insertCheckedMapping(t.db, { tryVisit });
  await putOnline(t.db, house);

  await expect(house.check(leaving.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(visits).toBe(2); // those of visitor and LAN, which begin together
  expect(await house.check()).toMatchObject({ ok: true });
});

test.each([
  ['relay-lost', 'relay', '中断'],
  ['relay-busy', 'relay', '太多'],
  ['no-mapping', 'relay', '停用、修改或删除'],
  ['revoked', 'relay', '停用、修改或删除'],
  ['device-offline', 'agent', '断开'],
])('a visit that fails as %s says nothing about the service', async (failure, step, words) => {
  await using t = await openTestDb();
  const house = await insertCheckedMapping(t.db, { tryVisit: async () => ({ ...page, answers: [], failure }) });
  await putOnline(t.db, house);
  expect(await house.check()).toMatchObject({ ok: false, step, hint: expect.stringContaining(words), visit: null });
});

test('a mapping that is changed while it is tested says so, because the relay visits the new target', async () => {
  await using t = await openTestDb();
  const tryVisit = async () => {
    await t.db.updateTable('mapping').set({ targetPort: 5001 }).execute();
    return page;
  };
  const house = await insertCheckedMapping(t.db, { tryVisit });
  await putOnline(t.db, house);
  const words = expect.stringContaining('停用、修改或删除');
  expect(await house.check()).toMatchObject({ ok: false, step: 'relay', hint: words, visit: null });
  expect(await house.check()).toMatchObject({ ok: true });
});

test('a service that speaks HTTP/2 alone is one for gRPC, and is not visited', async () => {
  await using t = await openTestDb();
  const probe = async () => ({ ...working, seen: 'http2' });
  const tryVisit = async () => await Promise.reject(new Error('visited'));
  const house = await insertCheckedMapping(t.db, { probe, tryVisit });
  await putOnline(t.db, house);
  expect(await house.check()).toMatchObject({ ok: true, step: 'http', hint: expect.stringContaining('gRPC') });
});

test('a claim of a process that died expires', async () => {
  await using t = await openTestDb();
  const house = await insertCheckedMapping(t.db);
  await putOnline(t.db, house);
  const runId = '00000000-0000-4000-8000-000000000000';
  const claim = { deviceId: house.deviceId, runId, expiresAt: new Date(Date.now() + 60_000) };
  await t.db.insertInto('connectionCheck').values(claim).execute();

  await expect(house.check()).rejects.toMatchObject({ code: 'device.busy' });
  await t.db
    .updateTable('connectionCheck')
    .set({ expiresAt: new Date(0) })
    .execute();
  expect(await house.check()).toMatchObject({ ok: true });
});

test('a mapping of another device is not found', async () => {
  await using t = await openTestDb();
  const house = await insertCheckedMapping(t.db);
  const otherId = await insertDevice(t.db, house);
  const deps = { ...noChecks, ...place, db: t.db, probe: async () => working, monotonicMs: () => 0 };

  const check = checkConnection(deps, {
    userId: house.userId,
    deviceId: otherId,
    mappingId: house.mappingId,
    address: '',
    signal: new AbortController().signal,
  });

  await expect(check).rejects.toMatchObject({ code: 'mapping.not-found' });
});
