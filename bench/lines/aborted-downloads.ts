import { setTimeout as pause } from 'node:timers/promises';
import { type Address, openRequest } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import { relayMemory } from '../support/relay-memory.ts';
import type { Line } from '../support/report.ts';

const PATH = '/1g';
const ABORT_AFTER_BYTES = 8 * 1024 * 1024;
const SETTLE_TRIES = 30;
const ALLOWED_MB = 20;

/** The memory that the relay keeps after visitors have aborted downloads of 1 GB. */
export async function measureAbortedDownloads({ effort, product, tunnel }: Bench): Promise<Line[]> {
  const { abortedDownloads } = effort;
  // The first ones grow the heap and the buffers, which all later ones reuse.
  await abortMany(tunnel, abortedDownloads);
  await pause(2_000);
  const beforeMb = (await relayMemory(product)) / 1e6;
  await abortMany(tunnel, abortedDownloads);
  let grownMb = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < SETTLE_TRIES && grownMb > ALLOWED_MB / 4; tries++) {
    await pause(1_000);
    grownMb = (await relayMemory(product)) / 1e6 - beforeMb;
  }
  const name = `relay memory after ${abortedDownloads} aborted 1 GB downloads`;
  return [{ name, unit: 'MB', target: `≤ ${ALLOWED_MB}`, values: [grownMb] }];
}

async function abortMany(address: Address, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => abortOne(address)));
}

function abortOne(address: Address): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const request = openRequest(address, PATH, false, (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes >= ABORT_AFTER_BYTES) request.destroy();
      });
      response.on('error', () => {}); // it is destroyed on purpose
    });
    request.on('error', () => {});
    request.on('close', resolve);
  });
}
