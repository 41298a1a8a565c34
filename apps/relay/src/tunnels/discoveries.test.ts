import type { DiscoveryReport } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const host = { address: '192.168.1.1', names: [], mdns: [], ssdp: [], services: [] };

async function open(options: Parameters<Awaited<ReturnType<typeof startTestRelay>>['connectDevice']>[2] = {}) {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await startTestRelay());
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 80 });
  const agent = await t.connectDevice(device, key, options);
  const { deviceId } = device;
  return {
    t,
    agent,
    discover: (correlation: number) => t.server.send({ type: 'discover', correlation, deviceId }),
    send: (correlation: number, report: DiscoveryReport) => agent.send({ type: 'discovery', correlation, report }),
    endOf: async (correlation: number) => {
      const { report } = await t.server.waitFor(
        'discovery',
        (message) => message.correlation === correlation && (message.report as DiscoveryReport).type === 'end',
      );
      return report;
    },
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  };
}

test('the reports of a scan reach the server', async () => {
  await using it = await open();
  it.discover(5);
  const { correlation } = await it.agent.waitFor('discover');
  it.send(correlation, { type: 'progress', percent: 40 });
  it.send(correlation, { type: 'hosts', hosts: [host] });
  it.send(correlation, { type: 'end', result: 'done' });
  expect(await it.endOf(5)).toEqual({ type: 'end', result: 'done' });
  for (const type of ['progress', 'hosts'])
    await it.t.server.waitFor('discovery', ({ report }) => (report as DiscoveryReport).type === type);
});

test('an agent of an earlier release is not asked, and a second scan at once is refused', async () => {
  await using old = await open({ features: ['udp'] });
  old.discover(1);
  expect(await old.endOf(1)).toEqual({ type: 'end', result: 'outdated' });
  expect(old.agent.messages.some(({ type }) => type === 'discover')).toBe(false);

  await using it = await open();
  it.discover(1);
  await it.agent.waitFor('discover');
  it.discover(2);
  expect(await it.endOf(2)).toEqual({ type: 'end', result: 'busy' });
});

test('a device that disconnects ends its scan, and one that is not there has none', async () => {
  await using it = await open();
  it.discover(1);
  await it.agent.waitFor('discover');
  it.agent.kill();
  expect(await it.endOf(1)).toEqual({ type: 'end', result: 'lost' });
  await it.t.server.waitFor('presence', ({ events }) => events.some(({ online }) => !online));
  it.discover(2);
  expect(await it.endOf(2)).toEqual({ type: 'end', result: 'offline' });
});

test('reports without a scan are ignored, and a flood of them ends it', async () => {
  await using it = await open();
  it.send(99, { type: 'end', result: 'done' });
  it.discover(8);
  const { correlation } = await it.agent.waitFor('discover');
  for (let count = 0; count < 3001; count++) it.send(correlation, { type: 'progress', percent: 1 });
  expect(await it.endOf(8)).toEqual({ type: 'end', result: 'failed' });
});

test('a report beyond the limits ends the connection of its device', async () => {
  await using it = await open();
  it.discover(1);
  const { correlation } = await it.agent.waitFor('discover');
  it.send(correlation, { type: 'hosts', hosts: [{ ...host, names: ['x'.repeat(10_000)] }] });
  await it.agent.waitClosed();
  expect(await it.endOf(1)).toEqual({ type: 'end', result: 'lost' });
});
