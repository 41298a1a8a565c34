const WARM_UP_CALLS = 5;

/** Of calls that are made one after another; milliseconds, rounded to a tenth. */
export type MeasuredCalls = { name: string; medianMs: number; p95Ms: number };

/** Measures `count` calls after a few that do not count. Throws when one is answered with another status than 200. */
export async function measureCalls(
  name: string,
  count: number,
  call: () => Promise<{ status: number } | void>,
): Promise<MeasuredCalls> {
  const timesMs: number[] = [];
  for (let n = 0; n < WARM_UP_CALLS + count; n++) {
    const startedMs = performance.now();
    const reply = await call();
    if (reply && reply.status !== 200) throw new Error(`${name} was answered ${reply.status}`);
    if (n >= WARM_UP_CALLS) timesMs.push(performance.now() - startedMs);
  }
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1));
  return { name, medianMs: at(0.5), p95Ms: at(0.95) };
}
