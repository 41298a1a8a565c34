import type { ServerToRelay } from '@tongtu/contract';
import type { DiscoveryReport } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { PendingDiscoveries } from './pending-discoveries.ts';

function open() {
  const sent: ServerToRelay[] = [];
  const reports: DiscoveryReport[] = [];
  const pending = new PendingDiscoveries((message) => void sent.push(message));
  return { sent, reports, pending, start: () => pending.start(3, (report) => void reports.push(report)) };
}

test.each([
  { type: 'hosts', hosts: [{ address: 'nas.lan', names: [], mdns: [], ssdp: [], services: [] }] },
  { type: 'hosts', hosts: Array.from({ length: 999 }, () => ({})) },
  { type: 'progress', percent: 1e9 },
  { type: 'end', result: 'hacked' },
  'garbage',
  null,
])('a report that is none ends the scan as failed: %j', (report) => {
  const it = open();
  it.start();
  expect(it.sent).toEqual([{ type: 'discover', correlation: 1, deviceId: 3 }]);
  it.pending.onReport(1, report);
  it.pending.onReport(1, { type: 'progress', percent: 2 });
  expect(it.reports).toEqual([{ type: 'end', result: 'failed' }]);
});

test('the end of the link ends all scans, and later ones at once', () => {
  const it = open();
  it.start();
  it.pending.close();
  it.start();
  expect(it.reports).toEqual([
    { type: 'end', result: 'lost' },
    { type: 'end', result: 'lost' },
  ]);
});
