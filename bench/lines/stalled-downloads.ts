import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Address, downloadRate, openRequest } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const STALLED = 100;
const PATH = '/256m';
/** Until the buffers of all stalled downloads are full. Before, they compete for bandwidth like any download. */
const FILL_MS = 3_000;

/** A download while a hundred other downloads of the same device are open and not read. */
export async function measureStalledDownloads({ effort, tunnel }: Bench): Promise<Line[]> {
  const name = `a download beside ${STALLED} stalled ones ÷ alone`;
  const line: Line = { name, unit: '×', target: '≥ 0.9', values: [] };
  await downloadRate(tunnel, PATH, 1); // warm-up
  for (let round = 0; round < effort.rounds; round++) {
    const alone = await downloadRate(tunnel, PATH, 1);
    const stalled = await Promise.all(Array.from({ length: STALLED }, () => openStalled(tunnel)));
    await pause(FILL_MS);
    line.values.push((await downloadRate(tunnel, PATH, 1)) / alone);
    for (const request of stalled) request.destroy();
  }
  return [line];
}

/** A visitor that requests a big file and does not read it. */
async function openStalled(address: Address): Promise<ClientRequest> {
  const request = openRequest(address, PATH, false, () => {});
  request.on('error', () => {}); // it is destroyed on purpose
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  response.pause();
  return request;
}
