/**
 * Measures the calls about statistics for an account with 500 devices and two years of usage: each unit and range of the
 * screen for the account, a device and a mapping, the live view and the file; and how long a relay's report takes. The calls
 * are made without a socket, one after another. Prints a table, then JSON; fails if a 95th percentile is above its target.
 * Filling takes a minute or two. `node bench/statistics.ts [--devices n] [--mappings n] [--calls n]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openMeasuredStatistics } from '@tongtu/server/testing/statistics';

const TARGET_MS = 300;
const WARM_UP_CALLS = 2;
const views = { hour: [24, 168], day: [30, 90, 365, 731], month: [12, 24] } as const;

type Measured = { name: string; medianMs: number; p95Ms: number };

async function measure(name: string, count: number, call: () => Promise<{ status: number } | void>): Promise<Measured> {
  const timesMs: number[] = [];
  for (let n = 0; n < WARM_UP_CALLS + count; n++) {
    const startedMs = performance.now();
    const reply = await call();
    if (reply && reply.status !== 200) throw new Error(`${name} was answered ${reply.status}`);
    if (n >= WARM_UP_CALLS) timesMs.push(performance.now() - startedMs);
  }
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1));
  return { name, medianMs: at(0.5), p95Ms: at(0.95) };
}

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
  const results: Measured[] = [];
  for (const [scope, query] of Object.entries(scopes)) {
    for (const [unit, ranges] of Object.entries(views))
      for (const points of ranges) {
        const path = `/api/user/statistics/?unit=${unit}&points=${points}${query}`;
        results.push(await measure(`${scope}, ${points} ${unit}s`, calls, () => owner.call('GET', path)));
      }
    const live = `/api/user/statistics/live/?${query.slice(1)}`;
    results.push(await measure(`${scope}, live`, calls, () => owner.call('GET', live)));
  }
  const file = '/api/user/statistics/export/?unit=day&points=731';
  results.push(await measure('file of 731 days', calls, () => owner.call('GET', file)));
  for (const mappings of [1, 100, deviceCount * mappingsEach])
    results.push(await measure(`report of ${mappings} mappings`, calls, () => measured.report(mappings)));
  console.table(results);
  console.log(JSON.stringify({ deviceCount, mappingsEach, calls, results }));
  if (results.some(({ p95Ms }) => p95Ms > TARGET_MS)) process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
