import type { Congestion } from './namespaces.ts';
import type { Tunnel } from './tunnels.ts';
import { type Survivals, watchService } from './watch-service.ts';
import { waitUntilServed } from './visitor.ts';
import type { WanLine } from './line.ts';

/**
 * Seconds without a line, or another public address of the home: while a download and a WebSocket are open, or with nothing
 * open, so that the device has to find out by itself.
 */
export type OutageKind = number | 'address' | 'address-idle';

export type Outage = {
  kind: OutageKind;
  congestion: Congestion;
  tunnel: string;
  /** From the return of the line, or the change, to the first answer; Infinity if there was none. */
  backSeconds: number;
  /** The same, to the first request after which none failed. */
  steadySeconds: number;
  /** Requests since the outage began, and those of them that failed. */
  requests: number;
  failed: number;
  /** What was asked for a second after the begin of a cut: when the answer came after its end. Infinity: it failed. */
  heldSeconds: number | undefined;
  survivals: Survivals | undefined;
};

/** Clean, so that the figures are of the outage alone. */
const settings = { delay: 15, loss: 0, rate: 100, queue: 50, cut: 0 };
const SETTLES_MS = 3_000;
const LOOK_EVERY_MS = 250;
const BACK_WITHIN_MS = 45_000;
/** How long all have to be back before the end. */
const STAYS_MS = 5_000;
/** Answers that were on the line when its address changed still arrive. */
const UNDER_WAY_MS = 35;
const HELD_AFTER_MS = 1_000;

let lastByte = 2;

/**
 * One outage, for all tunnels at once: what visitors ask for is little, and the line is dead for most of the time.
 */
export async function measureOutage(
  all: Tunnel[],
  { line, kind, congestion }: { line: WanLine; kind: OutageKind; congestion: Congestion },
): Promise<Outage[]> {
  await line.set(settings);
  await using parts = new AsyncDisposableStack();
  for (const { startHome } of all) parts.use(startHome());
  const served = await Promise.all(all.map(waitUntilServed));
  const tunnels = all.filter((_, n) => served[n]);
  const hasStreams = kind !== 'address-idle';
  const watches = tunnels.map(({ address }) => parts.use(watchService(address, { hasStreams })));
  await pause(SETTLES_MS);
  const beganAtMs = performance.now();
  const isCut = typeof kind === 'number';
  if (!isCut) await line.set({ address: ++lastByte });
  else {
    await line.set({ cut: 1 });
    await pause(Math.min(HELD_AFTER_MS, (kind * 1000) / 2));
    for (const watch of watches) watch.askPatiently();
    await pause(beganAtMs + kind * 1000 - performance.now());
    await line.set({ cut: 0 });
  }
  const endedAtMs = performance.now();
  const isBack = () => watches.every((watch) => watch.isServedSince(endedAtMs + UNDER_WAY_MS, STAYS_MS));
  while (!isBack() && performance.now() < endedAtMs + BACK_WITHIN_MS) await pause(LOOK_EVERY_MS);
  return tunnels.map(({ name }, n) => {
    const { requests, held, survivals } = watches[n]!.report(); // there is one for each tunnel
    const after = requests.filter(({ startMs }) => startMs >= beganAtMs);
    const failed = after.filter(({ isAnswered }) => !isAnswered);
    const answers = requests.filter(({ startMs, endMs, isAnswered }) => {
      return isAnswered && endMs > endedAtMs + UNDER_WAY_MS && (isCut || startMs > endedAtMs);
    });
    const lastFailedMs = Math.max(endedAtMs, ...failed.map(({ startMs }) => startMs));
    const seconds = (times: number[]) => Math.max(0, Math.min(...times) - endedAtMs) / 1000;
    return {
      ...{ kind, congestion, tunnel: name, requests: after.length, failed: failed.length },
      backSeconds: seconds(answers.map(({ endMs }) => endMs)),
      steadySeconds: seconds(answers.filter(({ startMs }) => startMs > lastFailedMs).map(({ endMs }) => endMs)),
      heldSeconds: isCut ? seconds(held?.isAnswered === true ? [held.endMs] : []) : undefined,
      survivals,
    };
  });
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
