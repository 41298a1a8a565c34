import { initialOptions } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { RequestHead } from '../codecs/http/request-head.ts';
import { createAgentKey } from '../testing/test-agent.ts';
import { testDevice } from '../testing/start-test-relay.ts';
import { VisitLog } from './visit-log.ts';
import { VisitReporter, type VisitReport } from './visit-reporter.ts';

function openLog() {
  const clock = { ms: 0 };
  const log = new VisitLog({ monotonicMs: () => clock.ms, wallClockMs: () => 1_000 + clock.ms });
  const device = testDevice(createAgentKey(), { 'nas.example': 80, 'other.example': 81 }, { visitLogDays: 7 });
  const entryOf = (at: number) => ({ route: device.routes[at]!, owner: { device } });
  const visit = (outcome: 'served' | 'denied', at = 0) => log.begin(entryOf(at), grant, 'TCP')?.end({ outcome });
  return { clock, log, entry: entryOf(0), visit };
}

const grant = { address: '192.0.2.1', proof: undefined };

function requestTo(target: string, userAgent: string): RequestHead {
  return {
    ...{ method: 'GET', target, version: 11, host: 'nas.example', hostField: 'nas.example', options: [] },
    fields: [{ name: 'User-Agent', key: 'user-agent', value: userAgent }],
    ...{ framing: { type: 'none' }, wantsKeepAlive: true, upgrade: undefined },
  } as RequestHead;
}

test('a mapping without a log costs nothing, and the path of another is kept without its query, cut', () => {
  const { log, entry, clock } = openLog();
  expect(log.begin({ ...entry, route: { ...entry.route, ...initialOptions } }, grant, 'TCP')).toBeUndefined();

  const utf8 = Buffer.from('浏览器').toString('latin1');
  const visit = log.begin(entry, grant, requestTo(`/${'a'.repeat(8_000)}?token=secret`, `${utf8}\xff`));
  clock.ms = 40;
  visit!.bytesOut = 5;
  visit!.status = 200;
  visit!.end({ outcome: 'served' });
  visit!.end({ outcome: 'aborted' });
  log
    .begin(entry, { address: '192.0.2.2' }, requestTo('/x?token=secret', ''))
    ?.end({ outcome: 'denied', reason: 'closed' });

  expect(log.take(10).records).toMatchObject([
    {
      ...{ atMs: 1_000, ms: 40, grounds: 'public', outcome: 'served', method: 'GET', status: 200, bytesOut: 5 },
      ...{ path: `/${'a'.repeat(1_023)}`, userAgent: '浏览器\uFFFD' },
    },
    { path: '/x', outcome: 'denied', reason: 'closed', grounds: 'none', status: null },
  ]);
});

test('a flood of denied visits is sampled and counted, and leaves room for those that come in', () => {
  const { log, clock, visit } = openLog();
  for (let count = 0; count < 10_000; count++) visit('denied');
  visit('served');
  visit('denied', 1);
  const { records, unrecorded } = log.take(1_000);
  expect(records.map(({ outcome }) => outcome)).toEqual([...Array(30).fill('denied'), 'served', 'denied']);
  expect(unrecorded).toMatchObject([{ denied: 9_970, others: 0 }]);

  clock.ms = 2_000;
  for (let count = 0; count < 5; count++) visit('denied');
  expect(log.take(1_000)).toMatchObject({ records: [{}, {}], unrecorded: [{ denied: 3 }] });
});

test('while the server is away the log is bounded and counts the rest; then every record arrives once', () => {
  const { log, clock, visit } = openLog();
  const sent: VisitReport[] = [];
  const server = { isAway: true };
  const send = (report: VisitReport) => {
    if (!server.isAway) sent.push(report);
    return !server.isAway;
  };
  const reporter = new VisitReporter({ log, send, intervalMs: 1_000 });
  visit('served');
  reporter.report();
  for (let count = 0; count < 9_999; count++, clock.ms += 20) visit('served');
  server.isAway = false;
  reporter.report();
  reporter.report();
  for (let sequence = 1; sequence <= sent.length; sequence++) reporter.onStored(sequence);
  reporter.report();
  const bySequence = [...new Map(sent.map((report) => [report.sequence, report])).values()];
  const records = bySequence.reduce((sum, report) => sum + report.records.length, 0);
  const others = bySequence.reduce((sum, { unrecorded }) => sum + (unrecorded[0]?.others ?? 0), 0);
  expect({ records, others, largest: Math.max(...bySequence.map((report) => report.records.length)) }).toEqual({
    ...{ records: 5_001, others: 4_999, largest: 1_000 },
  });
});
