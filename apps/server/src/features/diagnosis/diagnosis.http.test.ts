import type { DiagnosisReport } from '@tongtu/tunnel';
import type { Diagnosis } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertHome, insertPresence, insertRelay, insertUser } from '../../testing/device-fixtures.ts';
import type { DiagnosisOutcome } from '../relays/index.ts';
import { registerDiagnosisRoutes } from './diagnosis-routes.ts';

const report: DiagnosisReport = {
  ...{ agentVersion: '1.0.0', protocol: 1, features: ['udp'], serverUrl: 'https://tongtu.example.com' },
  system: { platform: 'linux x64', node: 'v24', uptimeSeconds: 60, freeMiB: 10, totalMiB: 20, load: 0.5 },
  proxies: [{ name: 'http_proxy', value: 'http://***@proxy' }],
  server: { name: 'https://tongtu.example.com', ok: true, ms: 20, text: 'HTTP 200' },
  clockAheadSeconds: -3,
  dns: [{ name: 'tongtu.example.com', ok: true, ms: 2, text: '203.0.113.1' }],
  connections: [
    {
      name: 'tongtu.example.com:7000',
      rttMs: 31.5,
      lossPercent: 2.5,
      congestionControl: 'cu\u202Ebic',
      bytesPerS: null,
    },
  ],
  bbr: { ok: false, text: '没有\u202E启用 bbr' },
  relays: [{ name: 'tongtu.example.com:7000', ok: false, ms: 8000, text: '连接\u202E超时' }],
  history: [
    { at: '2026-11-24T08:00:00.000Z', text: '已断开' },
    { at: '2026-11-24T08:00:05.000Z', text: '已上线\n又一行' },
  ],
};

async function open({
  outcome = { ok: true, report, sent: undefined },
  isOnline = true,
}: {
  outcome?: DiagnosisOutcome | 'no relay';
  isOnline?: boolean;
} = {}) {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  await insertPresence(t.db, { ...home, ...(isOnline ? {} : { offlineReason: 'no_heartbeat' }) });
  const asked: number[] = [];
  const diagnose = async ({ id }: { id: number }) => {
    asked.push(id);
    return outcome === 'no relay' ? undefined : outcome;
  };
  const wallClock = () => new Date('2026-11-24T09:00:00Z');
  const app = parts.use(
    await openTestApp(t.db, (server) => registerDiagnosisRoutes(server, { db: t.db, diagnose, wallClock })),
  );
  const paths = {
    diagnosis: `/api/user/routers/${home.deviceId}/diagnosis/`,
    connections: `/api/user/routers/${home.deviceId}/connections/`,
  };
  const owner = await app.browserOf(home.userId);
  return { db: t.db, home, app, owner, asked, paths, [Symbol.asyncDispose]: async () => await parts.disposeAsync() };
}

test('the owner reads what the device has found out, without hidden characters, the newest event first', async () => {
  await using it = await open();
  const reply = await it.owner.call('POST', it.paths.diagnosis);
  expect(reply.status).toBe(200);
  const diagnosis = reply.body as Diagnosis;
  expect(diagnosis).toMatchObject({ made_at: '2026-11-24T09:00:00.000Z', clock_ahead_seconds: -3 });
  expect(diagnosis.system).toMatchObject({ uptime_seconds: 60, free_mib: 10, total_mib: 20 });
  expect(diagnosis.relays[0]?.text).toBe('连接超时');
  expect(diagnosis.lines).toEqual({
    from_device: [
      {
        ...{ name: 'tongtu.example.com:7000', rtt_ms: 31.5, loss_percent: 2.5 },
        ...{ congestion_control: 'cubic', bytes_per_s: null },
      },
    ],
    from_relay: null,
    bbr: { ok: false, text: '没有启用 bbr' },
  });
  expect(diagnosis.history.map(({ text }) => text)).toEqual(['已上线 又一行', '已断开']);
});

test('an older agent says nothing of its connections, and the relay may', async () => {
  const { connections: _, bbr: __, ...older } = report;
  const sent = [{ rttMs: 30, lossPercent: 0, congestionControl: 'bbr', bytesPerS: 1_000 }];
  await using it = await open({ outcome: { ok: true, report: older, sent } });
  const { lines } = (await it.owner.call('POST', it.paths.diagnosis)).body as Diagnosis;
  const fromRelay = { name: '', rtt_ms: 30, loss_percent: 0, congestion_control: 'bbr', bytes_per_s: 1_000 };
  expect(lines).toEqual({ from_device: null, from_relay: [fromRelay], bbr: null });
});

test.each<[DiagnosisOutcome | 'no relay', string]>([
  [{ ok: false, reason: 'outdated' }, 'diagnosis.outdated'],
  [{ ok: false, reason: 'offline' }, 'diagnosis.offline'],
  [{ ok: false, reason: 'unsupported' }, 'diagnosis.frpc'],
  [{ ok: false, reason: 'busy' }, 'device.busy'],
  [{ ok: false, reason: 'timeout' }, 'diagnosis.no-answer'],
  [{ ok: false, reason: 'malformed' }, 'diagnosis.no-answer'],
  ['no relay', 'server.unavailable'],
])('the outcome %j is reported as %s', async (outcome, code) => {
  await using it = await open({ outcome });
  expect((await it.owner.call('POST', it.paths.diagnosis)).body).toMatchObject({ code });
});

test('a device that is offline or runs frpc is not asked', async () => {
  await using offline = await open({ isOnline: false });
  expect((await offline.owner.call('POST', offline.paths.diagnosis)).body).toMatchObject({ code: 'diagnosis.offline' });
  await using frpc = await open();
  const frpcTokenSealed = Buffer.alloc(1);
  await frpc.db.updateTable('device').set({ frpcTokenSealed, publicKey: null }).execute();
  expect((await frpc.owner.call('POST', frpc.paths.diagnosis)).body).toMatchObject({ code: 'diagnosis.frpc' });
  expect([...offline.asked, ...frpc.asked]).toEqual([]);
});

test('somebody else finds neither, and the owner may ask ten times a minute', async () => {
  await using it = await open();
  const other = await it.app.browserOf(await insertUser(it.db, 'other'));
  for (const reply of [await other.call('POST', it.paths.diagnosis), await other.call('GET', it.paths.connections)])
    expect(reply).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  expect(it.asked).toEqual([]);
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) statuses.push((await it.owner.call('POST', it.paths.diagnosis)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});
