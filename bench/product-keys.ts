/**
 * Measures the calls about product keys in a database with a million of them: every list, with each filter, and redemption.
 * The calls are made without a socket, one after another. Prints a table, then JSON; fails if a 95th percentile is above its
 * target. Filling takes some minutes; `--folder` keeps the filled folder and uses it again.
 * `node bench/product-keys.ts [--keys n] [--calls n] [--redemptions n] [--folder path]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { insertRedeemers, type Measured, openMeasured } from '@tongtu/server/testing/product-keys';

const LIST_TARGET_MS = 100;
const REDEEM_TARGET_MS = 20;
const WARM_UP_CALLS = 5;

type Result = { name: string; medianMs: number; p95Ms: number; targetMs: number };

async function measure(name: string, targetMs: number, calls: (() => Promise<number>)[]): Promise<Result> {
  const timesMs: number[] = [];
  for (const [n, call] of calls.entries()) {
    const startedMs = performance.now();
    const status = await call();
    if (status >= 300) throw new Error(`${name} was answered ${status}`);
    if (n >= WARM_UP_CALLS) timesMs.push(performance.now() - startedMs);
  }
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1));
  return { name, medianMs: at(0.5), p95Ms: at(0.95), targetMs };
}

function listsOf({ placeId, batchId, keys }: Measured): Record<string, string> {
  const list = '/api/user/product-keys-for-place/';
  const key = keys[0] ?? '';
  return {
    'all keys': list,
    'all keys, far back': `${list}?offset=500000`,
    'unused keys': `${list}?status=unused`,
    'redeemed keys': `${list}?status=redeemed&limit=500`,
    'expired keys (none)': `${list}?status=expired`,
    'keys of a place': `${list}?place=${placeId}`,
    'void keys of a place': `${list}?place=${placeId}&status=void`,
    'keys of a batch': `${list}?batch=${batchId}&status=unused`,
    'search for a key': `${list}?search=${key}`,
    'search for the end of a key': `${list}?search=${key.slice(-5)}`,
    'search for a note': `${list}?search=${encodeURIComponent('展会 42')}`,
    'search for a note of 40 % of all keys': `${list}?search=${encodeURIComponent('展会')}`,
    'search for a note that no key has': `${list}?search=${encodeURIComponent('没有')}`,
    'search for a note, void keys': `${list}?status=void&search=${encodeURIComponent('展会')}`,
    'search for a note, unused keys (none)': `${list}?status=unused&search=${encodeURIComponent('展会')}`,
    'search without a result': `${list}?search=nothing`,
    places: '/api/user/product-key-places/',
  };
}

async function measureLists(measured: Measured, calls: number): Promise<Result[]> {
  const { app, staffId, promoterId } = measured;
  const results: Result[] = [];
  for (const [who, userId] of [
    ['staff', staffId],
    ['promoter', promoterId],
  ] as const) {
    const browser = await app.browserOf(userId);
    for (const [name, path] of Object.entries(listsOf(measured))) {
      const call = async () => (await browser.call('GET', path)).status;
      const all = Array.from({ length: WARM_UP_CALLS + calls }, () => call);
      results.push(await measure(`${who}: ${name}`, LIST_TARGET_MS, all));
    }
  }
  return results;
}

/** Each by an account of its own. */
async function measureRedemption(measured: Measured, count: number): Promise<Result> {
  const { app, keys } = measured;
  const some = keys.slice(0, WARM_UP_CALLS + count);
  const userIds = await insertRedeemers(measured, some.length);
  const redemptions = [];
  for (const [n, key] of some.entries()) {
    const browser = await app.browserOf(userIds[n] ?? 0);
    redemptions.push(async () => (await browser.call('POST', '/api/user/product-keys-for-user/', { key })).status);
  }
  return await measure('redemption', REDEEM_TARGET_MS, redemptions);
}

const { values } = parseArgs({
  options: {
    keys: { type: 'string' },
    calls: { type: 'string' },
    redemptions: { type: 'string' },
    folder: { type: 'string' },
  },
});
const keyCount = Number(values.keys ?? 1_000_000);
const calls = Number(values.calls ?? 100);
const redemptions = Number(values.redemptions ?? 200);
const dir = values.folder ?? (await mkdtemp(join(tmpdir(), 'tongtu-bench-')));
try {
  await using measured = await openMeasured(join(dir, 'postgres'), keyCount);
  const results = [...(await measureLists(measured, calls)), await measureRedemption(measured, redemptions)];
  console.table(results);
  console.log(JSON.stringify({ keyCount, calls, redemptions, results }));
  if (results.some(({ p95Ms, targetMs }) => p95Ms > targetMs)) process.exitCode = 1;
} finally {
  if (values.folder === undefined) await rm(dir, { recursive: true, force: true });
}
