/** A real relay and a real agent over a line that stalls and cuts their connections. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Stage, startStage } from './bad-lines/stage.ts';
import { waitFor } from './support/wait-for.ts';

const MB = 1024 * 1024;
/** As in use, but ten times as fast. */
const quick = { heartbeatMs: 300, heartbeatLostMs: 1_200, rejoinWaitMs: 300 };
const PATIENCE_MS = 30_000;

test('a stalled connection stops no other stream, and its own go on', async () => {
  await using stage = await startStage(quick);
  await openChannels(stage, 3);
  const download = stage.get(`/${4 * MB}`);
  await waitFor('the download has begun', PATIENCE_MS, () => busiest(stage).passedBytes > 500_000);
  busiest(stage).stall();
  for (let turn = 0; turn < 5; turn++) expect((await stage.get('/1000')).body).toEqual(stage.bodyOf(1000));
  expect(hashOf((await download).body)).toBe(hashOf(stage.bodyOf(4 * MB)));
});

describe('what is open survives the loss', () => {
  test.each<[string, (stage: Stage) => void]>([
    ['of any one connection', (stage) => stage.line.connections.at(turnOf(stage) % 3)?.cut()],
    ['of all connections but one', (stage) => cutAllBut(stage, turnOf(stage) % 3)],
    ['of all connections', (stage) => cutAllBut(stage, -1)],
    ['of the first connection and then the others', (stage) => cutInTurn(stage)],
  ])('%s', async (_what, lose) => {
    await using stage = await startStage(quick);
    await openChannels(stage, 3);
    const transfers = startTransfers(stage);
    let losses = 0;
    for (; !transfers.isDone; losses++) {
      const { progress } = transfers;
      await waitFor('bytes pass', PATIENCE_MS, () => transfers.progress > progress + 300_000 || transfers.isDone);
      lose(stage);
    }
    await transfers.expectWhole();
    expect(losses).toBeGreaterThan(5);
    expect(stage.presence()).toEqual(['online']);
  });

  test('of the whole line, for longer than a device is taken for online', async () => {
    await using stage = await startStage(quick);
    await openChannels(stage, 3);
    const transfers = startTransfers(stage);
    stage.line.goDown();
    await waitFor('the device is offline', PATIENCE_MS, () => stage.presence().length === 2);
    // It waits for the device, and is not refused.
    const late = stage.get('/1000');
    stage.line.comeBack();
    expect((await late).body).toEqual(stage.bodyOf(1000));
    await transfers.expectWhole();
    await waitFor('the device is online', PATIENCE_MS, () => stage.presence().length === 3);
    expect(stage.presence()).toEqual(['online', 'no_heartbeat', 'online']);
  });
});

test('no byte is lost, doubled or reordered by any cuts and stalls', { timeout: 120_000 }, async () => {
  await using stage = await startStage(quick);
  const fault = fc.record({
    at: fc.nat(5),
    kind: fc.constantFrom('cut', 'stall', 'release', 'all', 'down'),
    /** How much passes before the next one. */
    bytes: fc.integer({ min: 1, max: 400_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 3, maxLength: 12 }), async (faults) => {
      const transfers = startTransfers(stage);
      for (const { at, kind, bytes } of faults) {
        const { connections } = stage.line;
        const connection = connections[at % Math.max(connections.length, 1)];
        if (kind === 'cut') connection?.cut();
        else if (kind === 'stall') connection?.stall();
        else if (kind === 'release') connection?.release();
        else if (kind === 'all') cutAllBut(stage, -1);
        else stage.line.goDown();
        if (kind === 'down') {
          await waitFor('the agent dials', PATIENCE_MS, dialledSince(stage));
          stage.line.comeBack();
        }
        const { progress } = transfers;
        await waitFor('bytes pass', PATIENCE_MS, () => transfers.isDone || transfers.progress > progress + bytes);
      }
      for (const connection of stage.line.connections) connection.release();
      await transfers.expectWhole();
    }),
    { numRuns: 12 },
  );
});

/** Opens requests until the agent has that many connections. */
async function openChannels(stage: Stage, count: number): Promise<void> {
  const echoes = await Promise.all(Array.from({ length: count - 1 }, () => stage.openEcho()));
  await waitFor('there are channels', PATIENCE_MS, () => stage.line.connections.length >= count);
  for (const echo of echoes) echo.destroy();
}

function busiest({ line }: Stage) {
  return line.connections.reduce((most, next) => (next.passedBytes > most.passedBytes ? next : most));
}

const turns = new WeakMap<Stage, number>();

function turnOf(stage: Stage): number {
  const turn = (turns.get(stage) ?? -1) + 1;
  turns.set(stage, turn);
  return turn;
}

function cutAllBut({ line }: Stage, kept: number): void {
  for (const [at, connection] of line.connections.entries()) if (at !== kept) connection.cut();
}

function cutInTurn({ line }: Stage): void {
  const [first, ...others] = line.connections;
  first?.cut();
  setImmediate(() => others.forEach((connection) => connection.cut()));
}

function dialledSince({ line }: Stage): () => boolean {
  const { accepted } = line;
  return () => line.accepted > accepted;
}

/** Downloads, uploads and a WebSocket at once, through several channels. */
function startTransfers(stage: Stage) {
  let progress = 0;
  let isDone = false;
  const count = (socket: Socket) => socket.on('data', (chunk: Buffer) => (progress += chunk.length));
  const upload = randomBytes(2 * MB);
  const all = Promise.all([
    stage.get(`/${3 * MB}`, count).then(({ body }) => expect(hashOf(body)).toBe(hashOf(stage.bodyOf(3 * MB)))),
    stage.get(`/${2 * MB}`, count).then(({ body }) => expect(hashOf(body)).toBe(hashOf(stage.bodyOf(2 * MB)))),
    stage.post(upload).then((hash) => expect(hash).toBe(hashOf(upload))),
    echoed(stage, upload, count).then((hash) => expect(hash).toBe(hashOf(upload))),
  ]).finally(() => (isDone = true));
  all.catch(() => {}); // awaited below
  return {
    get progress() {
      return progress;
    },
    get isDone() {
      return isDone;
    },
    async expectWhole(): Promise<void> {
      await all;
    },
  };
}

/** Sends bytes over a switched connection, and resolves with the hash of as many that come back. */
async function echoed(stage: Stage, bytes: Buffer, watch: (socket: Socket) => void): Promise<string> {
  const socket = await stage.openEcho();
  watch(socket);
  const hash = createHash('sha256');
  let left = bytes.length;
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    hash.update(chunk);
    if (left <= 0) socket.end();
  });
  socket.write(bytes);
  await once(socket, 'close');
  return hash.digest('hex');
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
