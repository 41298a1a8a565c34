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
import { measureCalls } from './support/measure-calls.ts';

const LIST_TARGET_MS = 100;
const routers = '/api/user/routers/';

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
  const all = await measureCalls('list, all devices', calls, () => owner.call('GET', `${routers}?limit=500`));
  const one = await measureCalls('list, one device', calls, () => other.call('GET', `${routers}?limit=500`));
  // As many as the limit of calls allows.
  const moved = await measureCalls('move all to a group', 20, () =>
    owner.call('PATCH', routers, { ids, group: '新的' }),
  );
  const ratio = Number((all.p95Ms / one.p95Ms).toFixed(1));
  console.table([all, one, moved]);
  console.log(JSON.stringify({ deviceCount, mappingsEach, calls, results: [all, one, moved], ratio }));
  if (all.p95Ms > LIST_TARGET_MS) process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
