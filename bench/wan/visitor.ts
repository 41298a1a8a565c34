import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, openRequest } from '../support/load.ts';
import { PAGE_OBJECTS } from './content.ts';
import type { Tunnel } from './tunnels.ts';

/** As browsers do. */
const PAGE_CONNECTIONS = 6;
const MAX_PAGES = 10;
const PAGE_WITHIN_MS = 60_000;
const MAX_DOWNLOADS = 3;
const DOWNLOAD_WITHIN_MS = 6_000;
const SERVES_WITHIN_MS = 60_000;
/** Until the download beside has filled the queues. */
const FILLS_MS = 1_500;
const BESIDE_AT_ONCE = 3;
const BESIDE_EVERY_MS = 20;
const BESIDE_ENDS_WITHIN_MS = 4_000;

/** Times in ms; how many requests failed or were not answered in time. Those count with the time that they had. */
export type Waits = { ms: number[]; failed: number };

/** Loads pages one after another for that long, at least one, each over new connections. */
export async function loadPages(address: Address, seconds: number): Promise<Waits> {
  const waits: Waits = { ms: [], failed: 0 };
  const endsAtMs = performance.now() + seconds * 1000;
  do {
    await time(waits, PAGE_WITHIN_MS, async (signal) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: PAGE_CONNECTIONS });
      try {
        const paths = Array.from({ length: PAGE_OBJECTS }, (_, n) => `/p/${n}`);
        await Promise.all(paths.map((path) => read(address, path, { agent, signal })));
      } finally {
        agent.destroy();
      }
    });
  } while (performance.now() < endsAtMs && waits.ms.length < MAX_PAGES);
  return waits;
}

/** Requests of 1 KB over connections of their own while downloads run one after another, and the rate of those. */
export async function requestBeside(address: Address, seconds: number): Promise<Waits & { megabits: number }> {
  const stop = new AbortController();
  let bytes = 0;
  const downloads = (async () => {
    const options = { signal: stop.signal, onData: ({ length }: Buffer) => void (bytes += length) };
    while (!stop.signal.aborted) await read(address, '/20m', options).catch(() => pause(BESIDE_EVERY_MS)); // the next one
  })();
  await pause(FILLS_MS);
  const [startedAtMs, bytesBefore] = [performance.now(), bytes];
  const endsAtMs = startedAtMs + seconds * 1000;
  const waits: Waits = { ms: [], failed: 0 };
  const visitors = Array.from({ length: BESIDE_AT_ONCE }, async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < endsAtMs) {
      const limitMs = endsAtMs + BESIDE_ENDS_WITHIN_MS - performance.now();
      await time(waits, limitMs, (signal) => read(address, '/1k', { agent, signal }));
      await pause(BESIDE_EVERY_MS);
    }
    agent.destroy();
  });
  await Promise.all(visitors);
  const megabits = ((bytes - bytesBefore) * 8) / 1000 / (performance.now() - startedAtMs);
  stop.abort();
  await downloads;
  return { ...waits, megabits };
}

/** Mbit/s of downloads of 20 MB one after another, or of what has arrived of each by then. At least one, at most three. */
export async function downloadMegabits(address: Address, seconds: number): Promise<number[]> {
  const rates: number[] = [];
  const beganAtMs = performance.now();
  do {
    const startedAtMs = performance.now();
    let bytes = 0;
    const onData = ({ length }: Buffer) => void (bytes += length);
    await read(address, '/20m', { signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS), onData }).catch(() => {}); // counts with what came
    rates.push((bytes * 8) / 1000 / (performance.now() - startedAtMs));
  } while (rates.length < MAX_DOWNLOADS && performance.now() - beganAtMs < seconds * 1000);
  return rates;
}

/** Waits until the tunnel serves. False, and a line that says so, if it does not in a minute. */
export async function waitUntilServed({ address, name }: Tunnel): Promise<boolean> {
  const endsAtMs = performance.now() + SERVES_WITHIN_MS;
  while (performance.now() < endsAtMs) {
    try {
      await read(address, '/1k', { signal: AbortSignal.timeout(SERVES_WITHIN_MS / 10) });
      return true;
    } catch {
      await pause(100); // not yet
    }
  }
  console.error(`${name} does not serve`);
  return false;
}

async function time(waits: Waits, limitMs: number, task: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const startedAtMs = performance.now();
  try {
    await task(AbortSignal.timeout(Math.max(1, Math.ceil(limitMs))));
  } catch {
    waits.failed++;
  }
  waits.ms.push(performance.now() - startedAtMs);
}

type ReadOptions = { agent?: http.Agent; signal: AbortSignal; onData?: (chunk: Buffer) => void };

/** Reads a whole answer. Rejects when it is not a success, or is cut short. */
export function read(address: Address, path: string, { agent, signal, onData }: ReadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => void request.destroy(new Error('aborted'));
    const request = openRequest(address, path, agent ?? false, (response) => {
      response.on('data', (chunk: Buffer) => onData?.(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`answered ${response.statusCode}`));
      });
    });
    request.on('error', reject);
    request.on('close', () => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort);
  });
}
