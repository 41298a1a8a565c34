import type { ClientWindow } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { openGateApp } from '../../../testing/apps/open-gate-app.ts';
import { openTestHub, relaySecret } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';
import { markClient } from '../../sharing/index.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;
const windowOver = expect.objectContaining({ code: 'gate.window-over' });

async function window({ owner, mappingId }: Gate, method: 'GET' | 'POST' | 'DELETE') {
  const reply = await owner.call(method, `/api/user/records/${mappingId}/mark_client/`);
  return { ...reply, window: reply.body as ClientWindow };
}

function client(mappingId: number, ip = '203.0.113.9') {
  return { mappingId, ip, userAgent: 'backup/1.0' };
}

test('a window is open for two minutes, marks one client for 48 hours, and notifies the console', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const nothing = { open_until: null, ip: '', expires_at: null };
  expect((await window(gate, 'GET')).window).toEqual({ state: 'none', left_today: 20, ...nothing });

  const { window: opened } = await window(gate, 'POST');
  expect(opened).toMatchObject({ state: 'open', ip: '', left_today: 20 });
  expect(Math.ceil((Date.parse(opened.open_until ?? '') - Date.now()) / 60_000)).toBe(2);
  const topics: string[] = [];
  const notified = Promise.withResolvers<void>();
  await t.listen(
    'live',
    (payload) => void (topics.push(JSON.parse(payload).topic) === 2 && notified.resolve()),
    () => undefined,
  );

  await markClient(t.db, client(gate.mappingId));

  await notified.promise;
  expect(topics.toSorted()).toEqual(['devices', 'verifications']);
  const { window: claimed } = await window(gate, 'GET');
  expect(claimed).toMatchObject({ state: 'claimed', open_until: null, ip: '203.0.113.9', left_today: 19 });
  expect(Math.round((Date.parse(claimed.expires_at ?? '') - Date.now()) / 3_600_000)).toBe(48);
  const [record] = await gate.records();
  const marked = { ip: '203.0.113.9', user_agent: 'backup/1.0', browser: '未知的浏览器或程序' };
  expect(record).toMatchObject({ kind: 'ip', granted_by: 'mark_client', ...marked });
  await gate.owner.call('DELETE', `/api/user/verifications/${record?.id}/`);
  expect((await window(gate, 'GET')).window).toEqual({ state: 'none', left_today: 19, ...nothing });
});

test('of 20 concurrent clients one is marked', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await window(gate, 'POST');

  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => markClient(t.db, client(gate.mappingId, `203.0.113.${n + 1}`))),
  );

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual(
    Array.from({ length: 19 }, () => windowOver),
  );
  expect(await gate.records()).toHaveLength(1);
});

test('with two relays one client is marked, and both relays get its address', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await using hub = await openTestHub(t, { mark: async (marked) => await markClient(t.db, marked) });
  await using first = await TestRelay.connect(hub.port, relaySecret);
  await using second = await TestRelay.connect(hub.port, relaySecret);
  first.hello([], 'r1');
  second.hello([], 'r2');
  await Promise.all([first.next('snapshot'), second.next('snapshot')]);
  await window(gate, 'POST');
  const [opened] = (await first.next('device')).device.routes;
  expect(opened?.clientWindowUntilMs).toBeGreaterThan(Date.now());
  await second.next('device');

  first.send({ type: 'mark_client', correlation: 1, ...client(gate.mappingId, '203.0.113.1') });
  second.send({ type: 'mark_client', correlation: 2, ...client(gate.mappingId, '203.0.113.2') });

  const answers = [await first.next('mark_result'), await second.next('mark_result')];
  expect(answers.filter(({ result }) => result.ok)).toHaveLength(1);
  const [{ ip } = { ip: '' }] = await gate.records();
  for (const { result } of answers) {
    if (result.ok) expect(result.device.routes).toMatchObject([{ verifiedIps: [{ ip }], clientWindowUntilMs: null }]);
    else expect(result.code).toBe('gate.window-over');
  }
  for (const relay of [first, second])
    expect((await relay.next('device')).device.routes).toMatchObject([{ verifiedIps: [{ ip }] }]);
});

test('no client is marked without a window, in a closed or expired one, or with an invalid address', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await expect(markClient(t.db, client(gate.mappingId))).rejects.toThrow(windowOver);
  await window(gate, 'POST');
  expect((await window(gate, 'DELETE')).window.state).toBe('none');
  await expect(markClient(t.db, client(gate.mappingId))).rejects.toThrow(windowOver);
  await window(gate, 'POST');
  await expect(markClient(t.db, client(gate.mappingId, 'nonsense'))).rejects.toThrow(
    expect.objectContaining({ code: 'request.invalid' }),
  );
  await t.db
    .updateTable('clientWindow')
    .set({ openUntil: sql<Date>`now()` })
    .execute();
  await expect(markClient(t.db, client(gate.mappingId))).rejects.toThrow(windowOver);
  expect((await window(gate, 'GET')).window.state).toBe('expired');
  await expect(markClient(t.db, client(999_999))).rejects.toThrow(windowOver);
  expect(await gate.records()).toEqual([]);
});

test('marked clients and verified addresses share a daily limit', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  for (let n = 1; n <= 19; n++) {
    const from = { 'x-forwarded-for': `203.0.113.${n}` };
    await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/verified_ip/`, undefined, from);
  }
  await window(gate, 'POST');
  await markClient(t.db, client(gate.mappingId, '198.51.100.1'));

  const refused = await window(gate, 'POST');

  expect(refused).toMatchObject({ status: 429, body: { code: 'gate.verified-ip-limit' } });
  expect((await window(gate, 'GET')).window.left_today).toBe(0);
});

test('a public mapping opens no client window', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await t.db.updateTable('mapping').set({ policy: 'public' }).execute();

  expect(await window(gate, 'POST')).toMatchObject({ status: 409, body: { code: 'gate.window-needless' } });
});
