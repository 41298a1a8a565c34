import net from 'node:net';
import { connectMux, type MuxStreamEvents } from '@tongtu/tunnel';
import { type DelayedLink, openDelayedLink } from '../support/delayed-link.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const RTT_MS = 100;
const BYTES_PER_SECOND = 40e6;
const BYTES = 400e6;
const CHUNK = Buffer.alloc(64 * 1024);
const quiet: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };
const monotonicMs = () => performance.now();

/**
 * One stream over a link of 100 ms and 320 Mbit/s, against plain TCP over the same link: shows whether the windows grow
 * far enough. This process simulates the link, so it needs no privileges and no kernel module.
 */
export async function measureLongWay({ effort }: Bench): Promise<Line[]> {
  const line: Line = { name: `one stream over ${RTT_MS} ms ÷ plain TCP`, unit: '×', target: '≥ 0.85', values: [] };
  for (let round = 0; round < Math.min(effort.rounds, 2); round++) {
    const plain = await secondsOf(plainTransfer);
    line.values.push(plain / (await secondsOf(muxTransfer)));
  }
  return [line];
}

async function secondsOf(transfer: (link: DelayedLink) => Promise<void>): Promise<number> {
  await using link = await openDelayedLink({ oneWayMs: RTT_MS / 2, bytesPerSecond: BYTES_PER_SECOND });
  const startedAtMs = monotonicMs();
  await transfer(link);
  return (monotonicMs() - startedAtMs) / 1000;
}

async function plainTransfer({ near, far }: DelayedLink): Promise<void> {
  sendAll(near, (onDrain) => near.on('drain', onDrain));
  await new Promise((resolve) => far.on('end', resolve).resume());
}

async function muxTransfer({ near, far }: DelayedLink): Promise<void> {
  const options = { monotonicMs, onClose() {} };
  const sender = connectMux(near, { ...options, role: 'client', onStream: () => quiet });
  await new Promise<void>((resolve) => {
    connectMux(far, {
      ...options,
      role: 'server',
      onStream: (stream) => ({ ...quiet, onData: (chunk) => stream.consumed(chunk.length), onEnd: resolve }),
    });
    let drain = () => {};
    const stream = sender.openStream({ ...quiet, onDrain: () => drain() });
    sendAll(stream, (onDrain) => (drain = onDrain));
  });
  sender.close();
}

function sendAll(
  sink: { write: (chunk: Buffer) => boolean; end: () => unknown } | net.Socket,
  watch: (onDrain: () => void) => void,
): void {
  let left = BYTES;
  const pump = () => {
    while (left > 0) {
      left -= CHUNK.length;
      if (!sink.write(CHUNK)) return;
    }
    sink.end();
  };
  watch(pump);
  pump();
}
