/**
 * Measures the calls about statistics for an account with 500 devices and two years of usage: each unit and range of the
 * screen for the account, a device and a mapping, the live view and the file; and how long a relay's report takes. The calls
 * are made without a socket, one after another. Prints a table, then JSON; fails if a 95th percentile is above its target.
 * Filling takes about five minutes. `node bench/statistics.ts [--devices n] [--mappings n] [--calls n]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openMeasuredStatistics } from '@tongtu/server/testing/statistics';
import { type MeasuredCalls, measureCalls } from './support/measure-calls.ts';

const TARGET_MS = 300;
const views = { hour: [24, 168], day: [30, 90, 365, 731], month: [12, 24] } as const;

const { values } = parseArgs({
  options: { devices: { type: 'string' }, mappings: { type: 'string' }, calls: { type: 'string' } },
});
const deviceCount = Number(values.devices ?? 500);
const mappingsEach = Number(values.mappings ?? 2);
const calls = Number(values.calls ?? 10);
const dir = await mkdtemp(join(tmpdir(), 'tongtu-bench-'));
try {
  const startedMs = performance.now();
  await using measured = await openMeasuredStatistics(join(dir, 'postgres'), { deviceCount, mappingsEach });
  console.log(`filled in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  const owner = await measured.app.browserOf(measured.ownerId);
  const scopes = { account: '', device: `&router=${measured.router}`, mapping: `&mapping=${measured.mapping}` };
  const results: MeasuredCalls[] = [];
  for (const [scope, query] of Object.entries(scopes)) {
    for (const [unit, ranges] of Object.entries(views))
      for (const points of ranges) {
        const path = `/api/user/statistics/?unit=${unit}&points=${points}${query}`;
        results.push(await measureCalls(`${scope}, ${points} ${unit}s`, calls, () => owner.call('GET', path)));
      }
    const live = `/api/user/statistics/live/?${query.slice(1)}`;
    results.push(await measureCalls(`${scope}, live`, calls, () => owner.call('GET', live)));
  }
  const file = '/api/user/statistics/export/?unit=day&points=731';
  results.push(await measureCalls('file of 731 days', calls, () => owner.call('GET', file)));
  for (const mappings of [1, 100, deviceCount * mappingsEach])
    results.push(await measureCalls(`report of ${mappings} mappings`, calls, () => measured.report(mappings)));
  console.table(results);
  console.log(JSON.stringify({ deviceCount, mappingsEach, calls, results }));
  if (results.some(({ p95Ms }) => p95Ms > TARGET_MS)) process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
