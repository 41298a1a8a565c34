import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { must } from '@tongtu/base';
import type { AgentUpgradeOffer, ProbeResult } from '@tongtu/contract';
import { upgradeProof } from '@tongtu/tunnel';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertDevice, insertHome, insertPresence, insertRelay, insertUser } from '../../testing/device-fixtures.ts';
import { registerAgentUpgradeRoutes } from './agent-upgrade-routes.ts';
import { openOffers } from './sign-offer.ts';

const log = pino({ level: 'silent' });
const { privateKey } = generateKeyPairSync('ed25519');
const offer = openOffers({ agentFile: import.meta.filename, version: '0.2.0', signingKey: privateKey });

type Answer = ProbeResult | undefined;

async function setUp(answer: Answer | (() => Promise<Answer>), options: { answerWithinMs?: number } = {}) {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const home = await insertHome(t.db);
  await insertRelay(t.db, { serverId: home.serverId });
  await insertPresence(t.db, { deviceId: home.deviceId });
  const sent: { deviceId: number; offer: AgentUpgradeOffer }[] = [];
  const upgrade = async (target: { deviceId: number; offer: AgentUpgradeOffer }) => {
    sent.push(target);
    return typeof answer === 'function' ? await answer() : answer;
  };
  const app = parts.use(
    await openTestApp(t.db, (it) =>
      registerAgentUpgradeRoutes(it, { db: t.db, version: '0.2.0', makeOffer: offer, upgrade, log, ...options }),
    ),
  );
  return { ...home, t, app, sent, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

const restarting: ProbeResult = { ok: true, step: 'http', ms: 90, seen: 'restarting' };

test('a device is sent the agent of this server, signed, and it is on record', async () => {
  await using it = await setUp(restarting);
  const browser = await it.app.browserOf(it.userId);
  const reply = await browser.call('POST', `/api/user/routers/${it.deviceId}/upgrade/`);
  expect(reply).toMatchObject({ status: 200, body: { version: '0.2.0' } });
  const { deviceId, offer: sent } = must(it.sent[0], 'the offer');
  expect([deviceId, sent.version]).toEqual([it.deviceId, '0.2.0']);
  const signature = Buffer.from(sent.signature, 'base64url');
  expect(verify(null, upgradeProof(sent), createPublicKey(privateKey), signature)).toBe(true);
  const entries = await it.t.db.selectFrom('auditEntry').select(['action', 'objectId']).execute();
  expect(entries).toEqual([{ action: 'device.upgraded', objectId: it.deviceId }]);

  expect((await browser.call('POST', '/api/user/routers/upgrade/', { percent: 100 })).body).toEqual({
    started: 1,
    failed: 0,
    left: 0,
  });
  expect((await browser.call('POST', '/api/user/routers/upgrade/', { percent: 0 })).status).toBe(422);
});

test.each([
  [{ ok: false, step: 'agent', ms: 0, seen: 'outdated' }, 'agent.cannot-upgrade'],
  [{ ok: false, step: 'agent', ms: 0, seen: 'offline' }, 'agent.offline'],
  [{ ok: false, step: 'http', ms: 9, seen: 'bad-hash' }, 'agent.upgrade-failed'],
  [{ ok: false, step: 'http', ms: 9, seen: 'bad-signature' }, 'agent.upgrade-refused'],
  [undefined, 'server.unavailable'],
] as [ProbeResult | undefined, string][])('the answer %o is reported as %s', async (answer, code) => {
  await using it = await setUp(answer);
  const browser = await it.app.browserOf(it.userId);
  const reply = await browser.call('POST', `/api/user/routers/${it.deviceId}/upgrade/`);
  expect(reply.body).toMatchObject({ code });
});

test('a download over a slow line goes on after the answer, and is on record at its end', async () => {
  const downloaded = Promise.withResolvers<Answer>();
  await using it = await setUp(async () => await downloaded.promise, { answerWithinMs: 1 });
  const browser = await it.app.browserOf(it.userId);
  const path = `/api/user/routers/${it.deviceId}/upgrade/`;
  const entries = async () => await it.t.db.selectFrom('auditEntry').select('action').execute();
  expect((await browser.call('POST', path)).status).toBe(200);
  expect((await browser.call('POST', path)).status).toBe(200);
  expect([it.sent.length, await entries()]).toEqual([1, []]);

  downloaded.resolve(restarting);
  await vi.waitFor(async () => expect(await entries()).toEqual([{ action: 'device.upgraded' }]));
});

test('of twelve devices eight download at the same time, and each that ends makes room for one more', async () => {
  const ends: ((answer: Answer) => void)[] = [];
  await using it = await setUp(() => new Promise<Answer>((resolve) => ends.push(resolve)), { answerWithinMs: 1 });
  for (let i = 0; i < 11; i++)
    await insertPresence(it.t.db, {
      deviceId: await insertDevice(it.t.db, { userId: it.userId, serverId: it.serverId }),
    });
  const browser = await it.app.browserOf(it.userId);
  const reply = await browser.call('POST', '/api/user/routers/upgrade/', { percent: 100 });
  expect(reply.body).toEqual({ started: 12, failed: 0, left: 0 });
  await vi.waitFor(() => expect(ends).toHaveLength(8));

  ends[0]?.(restarting);
  ends[1]?.({ ok: false, step: 'http', ms: 9, seen: 'timeout' });
  await vi.waitFor(() => expect(ends).toHaveLength(10));
  for (const end of ends.splice(2)) end(restarting);
  await vi.waitFor(() => expect(it.sent).toHaveLength(12));
});

test('a part of the devices is upgraded first, always the same ones', async () => {
  await using it = await setUp(restarting);
  for (let i = 0; i < 3; i++)
    await insertPresence(it.t.db, {
      deviceId: await insertDevice(it.t.db, { userId: it.userId, serverId: it.serverId }),
    });
  const browser = await it.app.browserOf(it.userId);
  const upgrade = async (percent: number) => {
    const { body } = await browser.call('POST', '/api/user/routers/upgrade/', { percent });
    return { body, ids: it.sent.splice(0).map(({ deviceId }) => deviceId) };
  };
  const tenth = await upgrade(10);
  expect(tenth.body).toEqual({ started: 1, failed: 0, left: 3 });
  const half = await upgrade(50);
  expect(half.body).toEqual({ started: 2, failed: 0, left: 2 });
  expect(half.ids).toEqual(expect.arrayContaining(tenth.ids));
  const upgraded = { agentVersion: '0.2.0' };
  await it.t.db.updateTable('devicePresence').set(upgraded).where('deviceId', 'in', half.ids).execute();
  expect((await upgrade(50)).body).toEqual({ started: 0, failed: 0, left: 2 });
  expect((await upgrade(100)).body).toEqual({ started: 2, failed: 0, left: 0 });
});

test('somebody else’s device is not found, and asked for nothing', async () => {
  await using it = await setUp(restarting);
  const other = await it.app.browserOf(await insertUser(it.t.db, 'other'));
  const reply = await other.call('POST', `/api/user/routers/${it.deviceId}/upgrade/`);
  expect(reply).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  expect((await other.call('POST', '/api/user/routers/upgrade/', { percent: 100 })).body).toMatchObject({
    started: 0,
  });
  expect(it.sent).toEqual([]);
});
