import type { UsageEntry } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { UsageLedger } from './usage-ledger.ts';
import { type UsageReport, UsageReporter } from './usage-reporter.ts';

/** A reporter and what its server got; `isAway` while the server is. */
function openReporter() {
  const ledger = new UsageLedger();
  const sent: UsageReport[] = [];
  const server = { isAway: false };
  const reporter = new UsageReporter({
    ledger,
    send(report) {
      if (!server.isAway) sent.push(structuredClone(report));
      return !server.isAway;
    },
    intervalMs: 5_000,
  });
  return { ledger, sent, server, reporter };
}

/** The totals of a server that counts each sequence once. */
function storedBytes(sent: readonly UsageReport[]): number {
  const bySequence = new Map(sent.map((report) => [report.sequence, report.entries]));
  return [...bySequence.values()].flat().reduce((sum, entry) => sum + entry.bytesOut, 0);
}

test('a meter counts bytes, requests, outcomes and the time to the first byte', () => {
  const { ledger, reporter, sent } = openReporter();
  const meter = ledger.createMeter(7);
  for (const status of [103, 200, 304, 404, 502, undefined]) {
    meter.begin(undefined);
    meter.answered(status, 1.5);
  }
  meter.begin(undefined);
  meter.failed();
  meter.addBytesIn(10);
  meter.addBytesOut(20);
  meter.addBytesOut(5);
  reporter.report();
  const entry: UsageEntry = {
    mappingId: 7,
    bytesIn: 10,
    bytesOut: 25,
    requests: 7,
    ok: 4,
    clientErrors: 1,
    serverErrors: 1,
    failed: 1,
    firstByteMs: 9,
    answered: 6,
    latency: Array.from({ length: 31 }, (_, bucket) => (bucket === 1 ? 6 : 0)),
    visitors: [],
    networks: [],
    isTruncated: false,
  };
  expect(sent).toEqual([{ sequence: 1, entries: [entry] }]);
});

test('only changed counts are reported, and nothing when nothing has changed', () => {
  const { ledger, reporter, sent } = openReporter();
  const [first, second] = [ledger.createMeter(1), ledger.createMeter(2)];
  reporter.report();
  expect(sent).toEqual([]);
  first.begin(undefined);
  reporter.report();
  reporter.onStored(1);
  second.begin(undefined);
  reporter.report();
  expect(sent.map(({ entries }) => entries.map((entry) => entry.mappingId))).toEqual([[1], [2]]);
});

test('an unanswered report is sent again unchanged, and new counts wait for the next one', () => {
  const { ledger, reporter, sent } = openReporter();
  const meter = ledger.createMeter(1);
  meter.addBytesOut(100);
  reporter.report();
  meter.addBytesOut(10);
  reporter.report();
  meter.addBytesOut(1);
  reporter.report();
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map((report) => JSON.stringify(report))).size).toBe(1);
  reporter.onStored(1);
  expect(sent.at(-1)).toMatchObject({ sequence: 2, entries: [{ mappingId: 1, bytesOut: 11 }] });
  reporter.onStored(2);
  expect(storedBytes(sent)).toBe(111);
});

test('an answer to an older report does not confirm the pending one', () => {
  const { ledger, reporter, sent } = openReporter();
  const meter = ledger.createMeter(1);
  meter.begin(undefined);
  reporter.report();
  reporter.onStored(1);
  meter.begin(undefined);
  reporter.report();
  reporter.onStored(1);
  reporter.report();
  expect(sent.map((report) => report.sequence)).toEqual([1, 2, 2]);
});

test('while the server is away counts are added up in one entry for each mapping', () => {
  const { ledger, reporter, sent, server } = openReporter();
  server.isAway = true;
  // As many connections of the device as there are rounds: each has a meter of its own.
  for (let round = 0; round < 50; round++) {
    ledger.createMeter(1).addBytesOut(1);
    ledger.createMeter(2).addBytesOut(2);
    reporter.report();
  }
  server.isAway = false;
  reporter.report();
  reporter.onStored(1);
  expect(sent.map((report) => report.entries.length)).toEqual([2, 2]);
  expect(storedBytes(sent)).toBe(150);
});

test('mappings that do not fit into one report follow in the next ones at once', () => {
  const { ledger, reporter, sent } = openReporter();
  for (let id = 1; id <= 12_001; id++) ledger.createMeter(id).addBytesOut(1);
  reporter.report();
  reporter.onStored(1);
  reporter.onStored(2);
  expect(sent.map((report) => report.entries.length)).toEqual([5_000, 5_000, 2_001]);
  expect(storedBytes(sent)).toBe(12_001);
});

test('a stop waits until the last report is stored, and not at all when the server is away', async () => {
  const { ledger, reporter, sent, server } = openReporter();
  ledger.createMeter(1).addBytesOut(1);
  const stopped = reporter.stop(1_000_000);
  expect(sent).toHaveLength(1);
  reporter.onStored(1);
  await stopped;
  server.isAway = true;
  ledger.createMeter(1).addBytesOut(1);
  await reporter.stop(1_000_000);
  expect(sent).toHaveLength(1);
});

test('requests are counted by visitor and by network, also over several meters of a mapping', () => {
  const { ledger, reporter, sent } = openReporter();
  const proof = { verificationId: 5 };
  for (const address of ['203.0.113.7', '2001:db8::1', '2001:db8::2', '203.0.113.7'])
    ledger.createMeter(1).begin({ address, knownProof: address.includes(':') ? proof : undefined });
  reporter.report();
  const networks = [
    ['203.0.113.7', 2],
    ['2001:db8::', 2],
  ];
  expect(sent[0]?.entries).toMatchObject([{ requests: 4, visitors: [[5, 2]], networks, isTruncated: false }]);
});

test('a report lists a limited number of networks of a mapping, and counts all requests', () => {
  const { ledger, reporter, sent } = openReporter();
  const meter = ledger.createMeter(1);
  for (let n = 0; n < 1_000; n++) meter.begin({ address: `10.0.${n >> 8}.${n & 255}` });
  reporter.report();
  expect(sent[0]?.entries[0]).toMatchObject({ requests: 1_000, isTruncated: true });
  expect(sent[0]?.entries[0]?.networks).toHaveLength(500);
});

test('reports with many networks are split', () => {
  const { ledger, reporter, sent } = openReporter();
  for (let id = 1; id <= 100; id++) {
    const meter = ledger.createMeter(id);
    for (let n = 0; n < 500; n++) meter.begin({ address: `10.0.${n >> 8}.${n & 255}` });
  }
  reporter.report();
  for (const sequence of [1, 2]) reporter.onStored(sequence);
  expect(sent.map(({ entries }) => entries.length)).toEqual([40, 40, 20]);
});
