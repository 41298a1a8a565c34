import type { DiscoveryReport } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { startAgent } from '../start-agent.ts';
import { setUp } from '../testing/agent-setup.ts';
import { Discovery, type DiscoveryOptions } from './discovery.ts';
import type { Interfaces } from './own-subnets.ts';

const lan: Interfaces = {
  eth0: [{ address: '192.168.1.10', netmask: '255.255.255.0', family: 'IPv4', mac: '', internal: false, cidr: null }],
};
const log = { info: () => {}, warn: () => {} };

function open(options: Partial<DiscoveryOptions>) {
  const discovery = new Discovery({
    ...{ isEnabled: true, log, monotonicMs: () => 0, interfaces: () => lan, scan: async () => 'done' as const },
    ...options,
  });
  return async () => {
    const reports: DiscoveryReport[] = [];
    await discovery.run((report) => void reports.push(report), new AbortController().signal);
    return reports;
  };
}

const ended = (result: string) => [{ type: 'end', result }];

test('an agent that may not scan, and one without a private network, say so', async () => {
  expect(await open({ isEnabled: false })()).toEqual(ended('switched-off'));
  expect(await open({ interfaces: () => ({}) })()).toEqual(ended('no-network'));
});

test('a second scan waits for the end of the first, and for a pause after it', async () => {
  let clockMs = 0;
  const first = Promise.withResolvers<'done'>();
  const run = open({ scan: async () => await first.promise, monotonicMs: () => clockMs });
  const running = run();
  expect(await run()).toEqual(ended('busy'));
  first.resolve('done');
  expect(await running).toEqual(ended('done'));
  expect(await run()).toEqual(ended('busy'));
  clockMs = 10_000;
  expect(await run()).toEqual(ended('done'));
});

test('a scan that breaks ends with a report, and the agent goes on', async () => {
  const scan = async () => await Promise.reject(new Error('too many open files'));
  expect(await open({ scan })()).toEqual(ended('failed'));
});

test('a relay that asks gets an answer with its correlation', async () => {
  await using it = await setUp({ discovery: false });
  await using agent = await startAgent(it.config, it.log);
  await agent.whenOnline();
  const session = await it.relay.nextSession();
  session.send({ type: 'discover', correlation: 7 });
  expect(await session.nextMessage()).toEqual({
    ...{ type: 'discovery', correlation: 7 },
    report: { type: 'end', result: 'switched-off' },
  });
});
