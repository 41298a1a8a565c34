import { WebSocket } from 'ws';
import type { Address } from '../support/load.ts';
import { steadyBytes } from './content.ts';
import { read } from './visitor.ts';

type Asked = { startMs: number; endMs: number; isAnswered: boolean };

/** Whether what was open before goes on, without a wrong byte. */
export type Survivals = { download: boolean; webSocket: boolean };

type Report = { requests: Asked[]; held: Asked | undefined; survivals: Survivals | undefined };

export type Watch = AsyncDisposable & {
  /** Asks once more, and waits for the answer as long as a person might. */
  askPatiently: () => void;
  /** Whether there were answers since then, and for so long no failure. */
  isServedSince: (sinceMs: number, staysMs: number) => boolean;
  report: () => Report;
};

const ASK_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 8_000;
const PATIENT_MS = 120_000;
const ECHO_EVERY_MS = 200;
/** A download or a WebSocket without a byte for longer has not survived. */
const SILENT_MS = 3_000;

/**
 * Visitors of an address until it is disposed of: a new one every 200 ms, and with streams one with a steady download
 * and one with a WebSocket.
 */
export function watchService(address: Address, { hasStreams }: { hasStreams: boolean }): Watch {
  const stop = new AbortController();
  const requests: Asked[] = [];
  let held: Asked | undefined;
  const pending = new Set<Promise<void>>();

  function ask(limitMs: number, onEnd: (asked: Asked) => void): void {
    const startMs = performance.now();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(limitMs)]);
    const settle = (isAnswered: boolean) => onEnd({ startMs, endMs: performance.now(), isAnswered });
    const asking = read(address, '/1k', { signal })
      .then(() => settle(true))
      .catch(() => settle(false))
      .finally(() => pending.delete(asking));
    pending.add(asking);
  }

  const timer = setInterval(() => ask(ANSWER_WITHIN_MS, (asked) => requests.push(asked)), ASK_EVERY_MS);
  const streams = hasStreams
    ? { download: watchDownload(address, stop.signal), webSocket: watchWebSocket(address, stop.signal) }
    : undefined;

  return {
    askPatiently: () => ask(PATIENT_MS, (asked) => (held = asked)),
    isServedSince(sinceMs, staysMs) {
      const lastFailedMs = Math.max(sinceMs, ...requests.filter((each) => !each.isAnswered).map(({ endMs }) => endMs));
      const answered = requests.filter((each) => each.isAnswered && each.startMs > lastFailedMs);
      return answered.length > 0 && performance.now() - lastFailedMs > staysMs;
    },
    report: () => ({
      requests,
      held,
      survivals: streams && { download: streams.download(), webSocket: streams.webSocket() },
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stop.abort();
      await Promise.all(pending);
    },
  };
}

/** Returns whether the download still runs and had no wrong byte. */
function watchDownload(address: Address, signal: AbortSignal): () => boolean {
  let [received, lastMs, isBroken] = [0, 0, false];
  const onData = (chunk: Buffer) => {
    if (!chunk.equals(steadyBytes(received, chunk.length))) isBroken = true;
    received += chunk.length;
    lastMs = performance.now();
  };
  const end = () => void (isBroken = true);
  read(address, '/steady', { signal, onData }).then(end, end);
  return () => !isBroken && performance.now() - lastMs < SILENT_MS;
}

/** Returns whether it still echoes, each message once and in order. */
function watchWebSocket({ port, host }: Address, signal: AbortSignal): () => boolean {
  let [sent, echoed, lastMs, isBroken] = [0, 0, 0, false];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } });
  const timer = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(String(sent++));
  }, ECHO_EVERY_MS);
  socket.on('message', (data: Buffer) => {
    if (data.toString() !== String(echoed++)) isBroken = true;
    lastMs = performance.now();
  });
  socket.on('error', () => {}); // 'close' follows
  socket.on('close', () => {
    isBroken = true;
    clearInterval(timer);
  });
  signal.addEventListener('abort', () => socket.terminate());
  return () => !isBroken && performance.now() - lastMs < SILENT_MS;
}
