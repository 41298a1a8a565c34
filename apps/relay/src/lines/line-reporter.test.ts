import type { DeviceLine } from '@tongtu/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { LineReporter } from './line-reporter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const cubic = { congestionControl: 'cubic', bytesPerS: 1_000_000 };
const loss = { percent: 2, rttMs: 30 };

test('changes are sent together, and after a hello all that is lossy, in parts', () => {
  const sent: { lines: DeviceLine[]; isWhole: boolean }[] = [];
  const reporter = new LineReporter({ send: (message) => sent.push(message) > 0, intervalMs: 10_000 });
  reporter.set(1, loss);
  reporter.set(2, loss);
  reporter.set(3, undefined);
  reporter.set(1, undefined);
  vi.advanceTimersByTime(10_000);
  expect(sent).toEqual([
    {
      isWhole: false,
      lines: [
        { deviceId: 1, loss: null },
        { deviceId: 2, loss },
      ],
    },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(1);
  for (let deviceId = 10; deviceId < 2_010; deviceId++) reporter.set(deviceId, loss);
  reporter.reportAll();
  expect(sent.slice(1).map(({ lines, isWhole }) => [lines.length, isWhole])).toEqual([
    [1_000, true],
    [1_000, false],
    [1, false],
  ]);
});

test('the server learns that a device says it loses packets, and forgets it with the device', async () => {
  vi.useRealTimers();
  await using t = await startTestRelay({ lineMeasureMs: 1, lineReportMs: 1, heartbeatMs: 20 });
  expect(await t.server.waitFor('lines')).toMatchObject({ isWhole: true, lines: [] });
  const key = createAgentKey();
  const device = testDevice(key, {});
  const agent = await t.connectDevice(device, key);
  agent.send({ type: 'measured', sentBytes: 1_000_000, retransmittedBytes: 50_000, ...cubic });
  const { lines } = await t.server.waitFor('lines', (message) => message.lines.length > 0);
  expect(lines).toEqual([{ deviceId: device.deviceId, loss: { percent: 5, rttMs: expect.any(Number) } }]);
  agent.kill();
  const forgotten = [{ deviceId: device.deviceId, loss: null }];
  expect((await t.server.waitFor('lines', (message) => message.lines[0]?.loss === null)).lines).toEqual(forgotten);
});
