/**
 * Measures the cost of the mux against the same socket without it: bulk in one stream and in four, and small requests.
 * Everything runs in this process over loopback TCP, in turns; compare the ratios, not the absolute numbers.
 * Prints JSON. `node bench/mux.ts [megabytes] [requests]`
 */
import net from 'node:net';
import { connectMux, type Mux, type MuxStream, type MuxStreamEvents } from '@tongtu/tunnel';

const ROUNDS = 3;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const REQUEST = Buffer.alloc(300, 'q');
const REPLY = Buffer.alloc(1200, 'r');
const CONCURRENT_REQUESTS = 64;

type SocketPair = { near: net.Socket; far: net.Socket };
const quiet: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };
const monotonicMs = () => performance.now();

async function openSockets(): Promise<SocketPair> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
  const near = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const far = await accepted;
  server.close();
  near.setNoDelay(true);
  far.setNoDelay(true);
  return { near, far };
}

async function megabytesPerSecond(bytes: number, transfer: () => Promise<void>): Promise<number> {
  const startedAtMs = monotonicMs();
  await transfer();
  return bytes / 1e6 / ((monotonicMs() - startedAtMs) / 1000);
}

async function plainBulk(bytes: number): Promise<number> {
  const { near, far } = await openSockets();
  const rate = await megabytesPerSecond(bytes, async () => {
    let left = bytes;
    function pump(): void {
      while (left > 0) {
        left -= CHUNK.length;
        if (!near.write(CHUNK)) return;
      }
      near.end();
    }
    near.on('drain', pump);
    pump();
    await new Promise((resolve) => far.on('end', resolve).resume());
  });
  near.destroy();
  far.destroy();
  return rate;
}

async function openMuxes(serve: (stream: MuxStream) => MuxStreamEvents): Promise<{ mux: Mux; close: () => void }> {
  const { near, far } = await openSockets();
  const options = { monotonicMs, onClose() {} };
  const mux = connectMux(near, { ...options, role: 'client', onStream: () => quiet });
  connectMux(far, { ...options, role: 'server', onStream: serve });
  await mux.ping();
  return { mux, close: () => mux.close() };
}

async function muxBulk(bytes: number, streamCount: number): Promise<number> {
  let onAllEnded: () => void = () => {};
  let open = streamCount;
  const { mux, close } = await openMuxes((stream) => ({
    ...quiet,
    onData: (chunk) => stream.consumed(chunk.length),
    onEnd() {
      open -= 1;
      if (open === 0) onAllEnded();
    },
  }));
  const rate = await megabytesPerSecond(bytes, async () => {
    const ended = new Promise<void>((resolve) => (onAllEnded = resolve));
    for (let i = 0; i < streamCount; i++) sendBulk(mux, bytes / streamCount);
    await ended;
  });
  close();
  return rate;
}

function sendBulk(mux: Mux, bytes: number): void {
  let left = bytes;
  const stream = mux.openStream({ ...quiet, onDrain: pump });
  function pump(): void {
    while (left > 0) {
      left -= CHUNK.length;
      if (!stream.write(CHUNK)) return;
    }
    stream.end();
  }
  pump();
}

/** `CONCURRENT_REQUESTS` clients, each of which sends its next request when it has the reply. */
async function requestsPerSecond(requests: number, openAsker: (onReply: () => void) => () => void): Promise<number> {
  const startedAtMs = monotonicMs();
  let started = 0;
  let answered = 0;
  await new Promise<void>((resolve) => {
    function createAsker(): void {
      const ask = openAsker(() => {
        answered += 1;
        if (answered === requests) resolve();
        next();
      });
      function next(): void {
        if (started === requests) return;
        started += 1;
        ask();
      }
      next();
    }
    for (let i = 0; i < CONCURRENT_REQUESTS; i++) createAsker();
  });
  return requests / ((monotonicMs() - startedAtMs) / 1000);
}

/** One connection for each client, as without a mux. */
async function plainRequests(requests: number): Promise<number> {
  const pairs = await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, openSockets));
  for (const { far } of pairs) far.on('data', () => far.write(REPLY));
  let next = 0;
  const rate = await requestsPerSecond(requests, (onReply) => {
    const { near } = pairs[next++] as SocketPair; // one for each client
    near.on('data', onReply);
    return () => near.write(REQUEST);
  });
  for (const { near, far } of pairs) {
    near.destroy();
    far.destroy();
  }
  return rate;
}

async function muxRequests(requests: number, streams: 'kept' | 'one each'): Promise<number> {
  const { mux, close } = await openMuxes((stream) => ({
    ...quiet,
    onData(chunk) {
      stream.consumed(chunk.length);
      stream.write(REPLY);
    },
    onEnd: () => stream.end(),
  }));
  const rate = await requestsPerSecond(requests, (onReply) => {
    function open(): MuxStream {
      let receivedBytes = 0;
      const stream = mux.openStream({
        ...quiet,
        onData(chunk) {
          stream.consumed(chunk.length);
          receivedBytes += chunk.length;
          if (receivedBytes < REPLY.length) return;
          receivedBytes = 0;
          if (streams === 'one each') stream.end();
          onReply();
        },
      });
      return stream;
    }
    let kept: MuxStream | undefined;
    return () => {
      if (kept === undefined || streams === 'one each') kept = open();
      kept.write(REQUEST);
    };
  });
  close();
  return rate;
}

/** The best of several rounds. The candidates take turns, so that a busy machine slows all of them alike. */
async function compare(contenders: Record<string, () => Promise<number>>): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(contenders))
      best[name] = Math.max(best[name] ?? 0, Math.round(await run()));
  }
  return best;
}

const megabytes = Number(process.argv[2] ?? 1024);
const requests = Number(process.argv[3] ?? 200_000);
const bytes = megabytes * 1024 * 1024;
const bulk = await compare({
  plain: () => plainBulk(bytes),
  oneStream: () => muxBulk(bytes, 1),
  fourStreams: () => muxBulk(bytes, 4),
});
const small = await compare({
  plain: () => plainRequests(requests),
  keptStreams: () => muxRequests(requests, 'kept'),
  streamEach: () => muxRequests(requests, 'one each'),
});
console.log(
  JSON.stringify({
    node: process.version,
    bulkMegabytesPerSecond: bulk,
    bulkRatio: { oneStream: ratio(bulk, 'oneStream'), fourStreams: ratio(bulk, 'fourStreams') },
    requestsPerSecond: small,
    requestRatio: { keptStreams: ratio(small, 'keptStreams'), streamEach: ratio(small, 'streamEach') },
  }),
);

function ratio(figures: Record<string, number>, name: string): number {
  return Number(((figures[name] ?? 0) / (figures['plain'] ?? 1)).toFixed(2));
}
