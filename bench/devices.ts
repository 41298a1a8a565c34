/**
 * Measures the list of devices for an account with 500 devices of three mappings each, beside an account with one device,
 * and the changes of all devices at once. The calls are made without a socket, one after another. Prints a table, then JSON;
 * fails if the list's 95th percentile is above its target. `node bench/devices.ts [--devices n] [--mappings n] [--calls n]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openMeasuredDevices } from '@tongtu/server/testing/devices';

const LIST_TARGET_MS = 100;
const WARM_UP_CALLS = 5;
const routers = '/api/user/routers/';

type Measured = { name: string; medianMs: number; p95Ms: number };

async function measure(name: string, count: number, call: () => Promise<{ status: number }>): Promise<Measured> {
  const timesMs: number[] = [];
  for (let n = 0; n < WARM_UP_CALLS + count; n++) {
    const startedMs = performance.now();
    const { status } = await call();
    if (status !== 200) throw new Error(`${name} was answered ${status}`);
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
const mappingsEach = Number(values.mappings ?? 3);
const calls = Number(values.calls ?? 60);
const dir = await mkdtemp(join(tmpdir(), 'tongtu-bench-'));
try {
  await using measured = await openMeasuredDevices(join(dir, 'postgres'), { deviceCount, mappingsEach });
  const owner = await measured.app.browserOf(measured.ownerId);
  const other = await measured.app.browserOf(measured.otherId);
  const { body } = await owner.call('GET', `${routers}?limit=500`);
  const ids = (body as { results: { id: number }[] }).results.map(({ id }) => id);
  const all = await measure('list, all devices', calls, () => owner.call('GET', `${routers}?limit=500`));
  const one = await measure('list, one device', calls, () => other.call('GET', `${routers}?limit=500`));
  // As many as the limit of calls allows.
  const moved = await measure('move all to a group', 20, () => owner.call('PATCH', routers, { ids, group: '新的' }));
  const ratio = Number((all.p95Ms / one.p95Ms).toFixed(1));
  console.table([all, one, moved]);
  console.log(JSON.stringify({ deviceCount, mappingsEach, calls, results: [all, one, moved], ratio }));
  if (all.p95Ms > LIST_TARGET_MS) process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
