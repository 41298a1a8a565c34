const VISIT_EVERY_MS = 20;

export type Visits = { failed: number; p50Ms: number; p99Ms: number; slowestMs: number };

/** Sends one visitor after another, each on a new connection, until it is stopped. */
export function startVisits(visit: () => Promise<number>): { stop: () => Promise<Visits> } {
  let isStopped = false;
  let failed = 0;
  const times: number[] = [];
  const done = (async () => {
    while (!isStopped) {
      const ms = await visit().catch(() => undefined); // a failure of any kind is counted
      if (ms === undefined) failed++;
      else times.push(ms);
      await new Promise((resolve) => setTimeout(resolve, VISIT_EVERY_MS));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await done;
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
      return { failed, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) };
    },
  };
}
