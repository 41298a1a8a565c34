/**
 * Measures the list of devices for an account with 500 devices of three mappings each, beside an account with one device,
 * and the changes of all devices at once. The calls are made one after another. A reply is read from a socket and not parsed,
 * which is the client's work. Prints a table, then JSON; fails if the 95th percentile of a list is above its target.
 * `node bench/devices.ts [--devices n] [--mappings n] [--calls n]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openMeasuredDevices } from '@tongtu/server/testing/devices';
import { measureCalls } from './support/measure-calls.ts';
import { openReader } from './support/open-reader.ts';

const LIST_TARGET_MS = 100;
const WARM_UP_CALLS = 30;
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
  await using reader = await openReader(measured.app);
  const list = (of: typeof owner, encoding: 'identity' | 'br') => async () =>
    await reader.read(`${routers}?limit=500`, { cookies: of.cookies, encoding });
  // A server that has been running for a while has optimized this code.
  for (let n = 0; n < WARM_UP_CALLS; n++) await list(owner, 'identity')();
  const all = await measureCalls('list, all devices', calls, list(owner, 'identity'));
  const compressed = await measureCalls('the same, compressed', calls, list(owner, 'br'));
  const one = await measureCalls('list, one device', calls, list(other, 'identity'));
  // As many as the limit of calls allows.
  const moved = await measureCalls('move all to a group', 20, () =>
    owner.call('PATCH', routers, { ids, group: '新的' }),
  );
  const ratio = Number((all.p95Ms / one.p95Ms).toFixed(1));
  const results = [all, compressed, one, moved];
  console.table(results);
  console.log(JSON.stringify({ deviceCount, mappingsEach, calls, results, ratio }));
  if (Math.max(all.p95Ms, compressed.p95Ms) > LIST_TARGET_MS) process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
