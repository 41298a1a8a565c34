import type { AgentFeature, DiagnosisReport } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { openFrpcHouse } from '../testing/frpc-house.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const report: DiagnosisReport = {
  ...{ agentVersion: '1.0.0', protocol: 1, features: [], proxies: [], serverUrl: '', server: null },
  system: { platform: 'linux', node: 'v24', uptimeSeconds: 1, freeMiB: 1, totalMiB: 2, load: 0 },
  ...{ clockAheadSeconds: 0, dns: [], relays: [], history: [] },
};

async function open({ features, limits }: { features?: AgentFeature[]; limits?: { diagnosisTimeoutMs: number } } = {}) {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await startTestRelay(limits));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 80 });
  const agent = await t.connectDevice(device, key, features ? { features } : {});
  return {
    agent,
    diagnose: (correlation: number) => t.server.send({ type: 'diagnose', correlation, deviceId: device.deviceId }),
    disable: () => t.server.put({ ...device, enabled: false }),
    resultOf: async (asked: number) =>
      (await t.server.waitFor('diagnosis', ({ correlation }) => correlation === asked)).result,
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  };
}

test('a report reaches the server once, whatever else the agent sends', async () => {
  await using it = await open();
  it.diagnose(5);
  const { correlation } = await it.agent.waitFor('diagnose');
  it.agent.send({ type: 'diagnosis', correlation: correlation + 1, report: { ...report, agentVersion: 'wrong' } });
  it.agent.send({ type: 'diagnosis', correlation, report });
  it.agent.send({ type: 'diagnosis', correlation, report });
  const result = await it.resultOf(5);
  expect(result).toMatchObject({ ok: true, report });
  // How what the relay has sent over the one connection fared; only Linux says it.
  const sent = result.ok ? result.sent : undefined;
  expect(sent?.length).toBe(process.platform === 'linux' ? 1 : undefined);
  if (sent !== undefined) expect(sent[0]).toMatchObject({ lossPercent: 0, congestionControl: expect.any(String) });
  it.diagnose(6);
  it.diagnose(7);
  expect(await it.resultOf(7)).toEqual({ ok: false, reason: 'busy' });
  it.agent.kill();
  expect(await it.resultOf(6)).toEqual({ ok: false, reason: 'lost' });
});

test('an agent of an earlier release is not asked, nor is a device that is switched off', async () => {
  await using old = await open({ features: ['udp', 'upgrade'] });
  old.diagnose(1);
  expect(await old.resultOf(1)).toEqual({ ok: false, reason: 'outdated' });
  expect(old.agent.messages.some(({ type }) => type === 'diagnose')).toBe(false);
  old.disable();
  old.diagnose(2);
  expect(await old.resultOf(2)).toEqual({ ok: false, reason: 'offline' });
});

test('an agent that does not answer, and a stock frpc, get an answer from the relay', async () => {
  await using it = await open({ limits: { diagnosisTimeoutMs: 1 } });
  it.diagnose(1);
  expect(await it.resultOf(1)).toEqual({ ok: false, reason: 'timeout' });

  await using house = await openFrpcHouse({});
  await using _frpc = await house.connect();
  house.t.server.send({ type: 'diagnose', correlation: 3, deviceId: house.device.deviceId });
  expect((await house.t.server.waitFor('diagnosis')).result).toEqual({ ok: false, reason: 'unsupported' });
});

test('a report beyond the limits ends the connection of its device', async () => {
  await using it = await open();
  it.diagnose(1);
  const { correlation } = await it.agent.waitFor('diagnose');
  it.agent.send({ type: 'diagnosis', correlation, report: { ...report, serverUrl: 'x'.repeat(10_000) } });
  await it.agent.waitClosed();
  expect(await it.resultOf(1)).toEqual({ ok: false, reason: 'lost' });
});
